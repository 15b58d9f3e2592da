import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Phone } from 'lucide-react';
import { useState } from 'react';
import { dayText, shortMomentText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import type { PhoneOrderView } from '#contract/owner/phone-orders.ts';
import { send } from '../../../data/api.ts';
import { errorText } from '../../../data/error-text.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Badge } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toast.ts';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from '../../session.ts';
import { phoneOrdersQuery } from './phone-orders-query.ts';

/** How many ended links are shown below the open ones. */
const maxEndedOrders = 5;

/** The payment links of orders by phone: the open ones, and the last that have ended. Renders nothing without any. */
export default function PhoneOrders({ onOpenOrder }: { onOpenOrder: (id: string) => void }) {
  const { data = [], error } = useQuery({ ...phoneOrdersQuery(), ...uncachedQueryOptions });
  useSessionEndOn(error);
  const openOrders = data.filter((it) => it.state === 'open');
  // The list stays unfolded when the last open link is paid, so that the owner sees it.
  const [isUnfolded, setIsUnfolded] = useState(false);
  if (openOrders.length > 0 && !isUnfolded) setIsUnfolded(true);
  const shownOrders = [...openOrders, ...data.filter((it) => it.state !== 'open').slice(0, maxEndedOrders)];
  if (shownOrders.length === 0) return null;
  return (
    <details open={isUnfolded} className="mb-4 rounded-lg border border-hair bg-card">
      <summary className="flex min-h-12 cursor-pointer items-center gap-3 px-4 font-semibold">
        <Phone aria-hidden className="size-4.5 text-accent" />
        Orders by phone
        <span className="font-normal text-muted">
          {openOrders.length > 0 ? `${countText(openOrders.length, 'payment link')} open` : 'no payment link open'}
        </span>
      </summary>
      <ul className="divide-y divide-hair border-t border-hair">
        {shownOrders.map((it) => (
          <PhoneOrderRow key={it.id} phoneOrder={it} onOpenOrder={onOpenOrder} />
        ))}
      </ul>
    </details>
  );
}

function PhoneOrderRow({ phoneOrder, onOpenOrder }: { phoneOrder: PhoneOrderView; onOpenOrder: (id: string) => void }) {
  const { id, customer, note, state, order, totalAmount, expiresAt, createdAt } = phoneOrder;
  const [isCanceling, setIsCanceling] = useState(false);
  const { act: runAction, busy, uncopied } = usePhoneOrderAct(id);
  const name = [customer?.firstName, customer?.lastName].filter(Boolean).join(' ');
  const customerName = name || customer?.email || 'A deleted customer';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
          {customerName} <StateBadge phoneOrder={phoneOrder} />
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {name && customer ? `${customer.email} · ` : ''}
          {phoneOrderText(phoneOrder)}
          {totalAmount !== null && ` · ${formatDollars(totalAmount)} before tax`} · {shortMomentText(createdAt)}
          {state === 'open' && ` · ends ${dayText(expiresAt)}`}
        </p>
        {note && <p className="mt-1 text-sm wrap-anywhere">Note: {note}</p>}
      </div>
      {order && (
        <Button look="secondary" size="small" onClick={() => onOpenOrder(order.id)}>
          Open {order.orderNumber}
        </Button>
      )}
      {state === 'open' && (
        <div className="flex flex-wrap gap-2">
          <Button
            look="secondary"
            size="small"
            busy={busy === 'send'}
            aria-label={`${phoneOrder.sentAt ? 'Email again' : 'Email the link'}: ${customerName}`}
            onClick={() => void runAction('send')}
          >
            {phoneOrder.sentAt ? 'Email again' : 'Email the link'}
          </Button>
          <Button
            look="secondary"
            size="small"
            busy={busy === 'link'}
            aria-label={`Copy link: ${customerName}`}
            onClick={() => void runAction('link')}
          >
            Copy link
          </Button>
          <Button
            look="secondary"
            size="small"
            aria-label={`Cancel...: ${customerName}`}
            onClick={() => setIsCanceling(true)}
          >
            Cancel...
          </Button>
        </div>
      )}
      {uncopied && state === 'open' && (
        <div role="status" className="w-full rounded-lg bg-linen p-3">
          <p className="text-sm">Your browser didn’t let us copy the link. Please copy it here:</p>
          <p className="mt-1 font-mono text-sm break-all select-all">{uncopied}</p>
        </div>
      )}
      <ConfirmDialog
        open={isCanceling}
        onOpenChange={setIsCanceling}
        title="Cancel the payment link?"
        description={`${customerName} can no longer pay with it. We don’t email the customer.`}
        confirmLabel="Cancel the link"
        cancelLabel="Keep it"
        destructive
        onConfirm={() => runAction('cancel')}
      />
    </li>
  );
}

function StateBadge({ phoneOrder: { state, sentAt, openedAt } }: { phoneOrder: PhoneOrderView }) {
  switch (state) {
    case 'paid':
      return <Badge tone="good">Paid</Badge>;
    case 'canceled':
      return <Badge>Canceled</Badge>;
    case 'over':
      return <Badge>Ended</Badge>;
    case 'open':
      return <Badge tone="accent">{openedAt ? 'Opened' : sentAt ? 'Sent' : 'Link copied'}</Badge>;
  }
}

const phoneOrderText = ({ productId, quantity, extraPackages, promoCode }: PhoneOrderView) =>
  [
    productId === 'byof' ? 'Animation service' : countText(quantity, 'frame'),
    ...(extraPackages > 0 ? [countText(extraPackages, 'photo package')] : []),
    ...(promoCode ? [promoCode] : []),
  ].join(', ');

type Act = 'send' | 'link' | 'cancel';

/** What the owner can do with one payment link. Each action shows its result as a notification. */
function usePhoneOrderAct(id: string) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const [busy, setBusy] = useState<Act>();
  /** The link, if the browser did not allow copying it. */
  const [uncopied, setUncopied] = useState<string>();
  const actionsByName: Record<Act, () => Promise<void>> = {
    send: async () => {
      const { customer } = await send('POST /api/admin/phone-orders/:id/send', { params: { id } });
      toast({ title: 'Payment link sent', description: `We’re emailing it to ${customer?.email}.` });
    },
    link: async () => {
      const { payUrl } = await send('POST /api/admin/phone-orders/:id/link', { params: { id } });
      const isCopied = await navigator.clipboard.writeText(payUrl).then(
        () => true,
        () => false,
      );
      if (isCopied) toast({ title: 'Link copied', description: 'It’s on your clipboard.' });
      setUncopied(isCopied ? undefined : payUrl);
    },
    cancel: async () => {
      await send('POST /api/admin/phone-orders/:id/cancel', { params: { id } });
      toast({ title: 'Payment link canceled', description: 'We didn’t email the customer.' });
    },
  };
  const runAction = async (which: Act) => {
    setBusy(which);
    try {
      await actionsByName[which]();
    } catch (error) {
      toast({ title: 'Nothing changed', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    }
    setBusy(undefined);
    void queryClient.invalidateQueries({ queryKey: phoneOrdersQuery().queryKey });
  };
  return { act: runAction, busy, uncopied };
}
