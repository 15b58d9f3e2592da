import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatCount } from '#contract/count-text.ts';
import type { DaysQuery } from '#contract/owner/analytics.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from '../session.ts';
import { Panel } from '../panel.tsx';
import { percentText } from './periods.ts';

const remindersQuery = (days: DaysQuery) => query('/api/admin/cart-reminders', { query: days });

/** What came of the emails about carts that were left at the payment, with their switch. */
export function CartReminders({ days }: { days: DaysQuery }) {
  const { data, error } = useQuery({
    ...remindersQuery(days),
    ...uncachedQueryOptions,
    placeholderData: keepPreviousData,
  });
  useSessionEndOn(error);
  return (
    <Panel title="Cart reminders">
      {data ? (
        <>
          <dl className="grid grid-cols-2 gap-4 text-[0.9375rem] sm:grid-cols-4">
            {[
              { label: 'Buyers emailed', value: data.reminded },
              { label: 'Emails sent', value: data.emails },
              { label: 'Came back', value: data.opened, of: data.reminded },
              { label: 'Bought', value: data.bought, of: data.reminded },
            ].map(({ label, value, of }) => (
              <div key={label}>
                <dt className="text-muted">{label}</dt>
                <dd className="text-xl font-semibold tabular-nums">
                  {formatCount(value)}
                  {of !== undefined && of > 0 && (
                    <span className="ml-2 text-sm font-normal text-muted">{percentText(value, of)}</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
          <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-hair pt-4">
            <p className="font-semibold">{data.isOn ? 'Reminders are on' : 'Reminders are off'}</p>
            <Switch isOn={data.isOn} days={days} />
          </div>
          <p className="mt-3 text-sm text-muted">
            Shoppers who enter their email and leave before paying get one email after two hours and another after two
            days. We don’t email anyone who has bought or unsubscribed. “Came back” means they opened the link. “Bought”
            means they paid within two weeks of the first email, with or without the link.
          </p>
        </>
      ) : error ? (
        <p className="text-muted">{errorText(error)}</p>
      ) : (
        <Skeleton className="h-40 rounded-lg" />
      )}
    </Panel>
  );
}

function Switch({ isOn, days }: { isOn: boolean; days: DaysQuery }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send('PUT /api/admin/cart-reminders', { body: { isOn: !isOn } }),
    async onSuccess(now) {
      await queryClient.invalidateQueries({ queryKey: remindersQuery(days).queryKey });
      toast({
        title: now.isOn ? 'Cart reminders are on' : 'Cart reminders are off',
        description: now.isOn
          ? 'From now on, we’ll remind shoppers who leave their cart.'
          : 'We won’t send any more reminders, not even the ones that were scheduled.',
      });
    },
    onError(error) {
      toast({ title: 'Update Failed', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    },
  });
  return (
    <Button look="secondary" size="small" busy={isPending} onClick={() => mutate()}>
      {isOn ? 'Turn off' : 'Turn on'}
    </Button>
  );
}
