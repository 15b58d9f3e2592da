import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { countText } from '#contract/count-text.ts';
import type { OwnersStock } from '#contract/owner/stock.ts';
import { StockBody } from '#contract/stock-forms.ts';
import { query, send } from '../../data/api.ts';
import { stockQuery } from '../../data/queries.ts';
import { CheckboxField, Form, FormProblem, SubmitButton, TextField, useShopForm } from '../../ui/form.tsx';
import { Card, Notice, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from '../session.ts';

const ownersStockQuery = () => query('/api/admin/stock');

/** How many frames can still be sold. By default, the shop does not count them. */
export function StockPart() {
  const { data, error, refetch } = useQuery({ ...ownersStockQuery(), ...uncachedQueryOptions });
  useSessionEndOn(error);
  if (error && !data) return <LoadErrorNotice title="We couldn’t load the stock" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-64 rounded-xl" />;
  return (
    <div className="max-w-176 space-y-5">
      <StockState stock={data} />
      {/* A sale changes the number. The key makes the form show it, so that the owner never saves an old one. */}
      <StockForm key={data.framesLeft} stock={data} />
    </div>
  );
}

function StockState({ stock: { framesLeft, waiting } }: { stock: OwnersStock }) {
  if (framesLeft === null) return null;
  if (framesLeft < 0)
    return (
      <Notice tone="bad" title={`${-framesLeft} more sold than in stock`}>
        <p className="mt-1">Visitors see that the Kinframe is sold out. Get more frames, or cancel an order.</p>
      </Notice>
    );
  if (framesLeft === 0)
    return (
      <Notice tone="warn" title="Sold out">
        <p className="mt-1">
          Every page with the Kinframe says so, and no one can buy it.
          {waiting > 0 && ` ${countText(waiting, 'visitor')} will get an email when it’s back.`}
        </p>
      </Notice>
    );
  return <Notice tone="good" title={`${countText(framesLeft, 'frame')} left to sell`} />;
}

/** An empty number is text, so that the form says what is missing. */
const Fields = z.object({
  isCounted: z.boolean(),
  framesLeft: z.pipe(
    z.transform((typed): unknown => (String(typed).trim() === '' ? undefined : Number(typed))),
    StockBody.shape.framesLeft as z.ZodMiniType<number | null>,
  ),
});

function StockForm({ stock: { framesLeft, framesToShip } }: { stock: OwnersStock }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm<{ isCounted: boolean; framesLeft: unknown }, z.output<typeof Fields>>(Fields, {
    defaultValues: { isCounted: framesLeft !== null, framesLeft: Math.max(0, framesLeft ?? 0) },
    onSubmit: async ({ isCounted, framesLeft: typed }) => {
      const body = { framesLeft: isCounted ? typed : null, seen: framesLeft };
      queryClient.setQueryData(ownersStockQuery().queryKey, await send('PUT /api/admin/stock', { body }));
      void queryClient.invalidateQueries({ queryKey: stockQuery().queryKey });
      toast({ title: 'Stock saved', description: 'Visitors can see it now.' });
    },
    fallbackText: 'Failed to update the stock',
    onProblem: (_, error) => {
      handleSessionEnd(error);
      // The number may have changed. The form then shows the new one.
      void queryClient.invalidateQueries({ queryKey: ownersStockQuery().queryKey });
    },
  });
  const isCounted = form.watch('isCounted');
  return (
    <Form form={form} label="Stock">
      <Card className="space-y-5">
        <CheckboxField
          form={form}
          name="isCounted"
          label="Count frames"
          hint="Each paid order then uses up its frames, so you never sell the last one twice. If this is off, visitors can buy any number."
        />
        {isCounted && (
          <TextField
            form={form}
            name="framesLeft"
            label="Frames left to sell"
            inputMode="numeric"
            hint={
              framesToShip > 0
                ? `Count the frames on your shelf, minus ${framesToShip} for paid orders that haven’t shipped.`
                : 'The frames on your shelf. Every paid order has shipped.'
            }
          />
        )}
        <FormProblem form={form} />
        <SubmitButton form={form} busyLabel="Saving...">
          Save
        </SubmitButton>
      </Card>
    </Form>
  );
}
