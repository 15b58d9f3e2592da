import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminMail } from '#contract/owner/mails.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { uncachedQueryOptions, useMayUseArea, useSessionEnd, useSessionEndOn } from '../session.ts';
import { refreshList } from '../list/list-query.ts';
import { OrderPanelSection } from './order-panel-section.tsx';

const states: Record<AdminMail['state'], { label: string; tone: 'good' | 'neutral' | 'warn' | 'bad' }> = {
  sent: { label: 'Sent', tone: 'good' },
  waiting: { label: 'Waiting to send', tone: 'neutral' },
  failing: { label: 'Not delivered yet', tone: 'warn' },
  failed: { label: 'Failed', tone: 'bad' },
};
export const mailsQuery = (orderId: string) => query('/api/admin/mails', { query: { orderId } });
/** The refetch interval while an email is waiting to be sent. */
const pollMs = 3000;

/** All emails about an order, newest first. An email can be sent again, unless its `notAgain` is set. */
export function OrderMails({ orderId }: { orderId: string }) {
  const { data, error } = useQuery({
    ...mailsQuery(orderId),
    ...uncachedQueryOptions,
    refetchInterval: ({ state }) => (state.data?.some((it) => it.state === 'waiting') ? pollMs : false),
  });
  useSessionEndOn(error);
  return (
    <OrderPanelSection title="Emails" isFolded>
      {error && !data && <p className="text-bad">{errorText(error, 'Failed to load the emails')}</p>}
      {!error && !data && <Skeleton className="h-24" />}
      {data?.length === 0 && <p className="text-muted">No emails for this order yet.</p>}
      {data && (
        <ul className="divide-y divide-hair">
          {data.map((mail) => (
            <MailRow key={mail.id} mail={mail} orderId={orderId} />
          ))}
        </ul>
      )}
    </OrderPanelSection>
  );
}

function MailRow({ mail, orderId }: { mail: AdminMail; orderId: string }) {
  const mayUseArea = useMayUseArea();
  const { label, tone } = states[mail.state];
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
            {mail.name} <Badge tone={tone}>{label}</Badge>
          </p>
          <p className="text-sm break-all text-muted">{mail.to}</p>
          <p className="text-sm text-muted">
            {mail.sentAt ? `Sent ${shortMomentText(mail.sentAt)}` : `Written ${shortMomentText(mail.queuedAt)}`}
          </p>
        </div>
        {mayUseArea('support') && <ResendButton mail={mail} orderId={orderId} />}
      </div>
      {mail.problem && (
        <p className="mt-1 text-sm text-bad">
          {capitalize(mail.problem)}
          {mail.nextTryAt && `. Next try: ${shortMomentText(mail.nextTryAt)}.`}
        </p>
      )}
      {mail.state === 'sent' && mail.notAgain && <p className="mt-1 text-sm text-muted">{mail.notAgain}</p>}
    </li>
  );
}

function ResendButton({ mail, orderId }: { mail: AdminMail; orderId: string }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const [busy, setBusy] = useState(false);
  const isOnItsWay = mail.state === 'waiting' || mail.state === 'failing';
  const sendMailAgain = async () => {
    setBusy(true);
    try {
      const resendResponse = await send('POST /api/admin/mails/:id/resend', { params: { id: mail.id } });
      toast({ title: 'Sent again', description: `We’re sending “${resendResponse.name}” to ${resendResponse.to}.` });
      // Refetch the order too, because its history contains the new email.
      void refreshList(queryClient, 'orders');
      const { queryKey } = query('/api/admin/orders/:id', { params: { id: orderId } });
      void queryClient.invalidateQueries({ queryKey });
      await queryClient.invalidateQueries({ queryKey: mailsQuery(orderId).queryKey });
    } catch (error) {
      toast({ title: 'Email not sent', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      look="secondary"
      size="small"
      className="shrink-0"
      busy={busy}
      disabled={isOnItsWay || mail.notAgain !== null}
      aria-label={`Send again: ${mail.name} to ${mail.to}`}
      {...(isOnItsWay && { title: 'This email is still being sent.' })}
      onClick={() => void sendMailAgain()}
    >
      Send again
    </Button>
  );
}

const capitalize = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
