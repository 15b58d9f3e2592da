import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminOrder, AdminRefund } from '#contract/owner/orders.ts';
import { formatDollars } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/surfaces.tsx';
import { useShortcuts } from '../shortcuts.ts';
import { giftCardsText } from './card-text.ts';
import { OrderPanelSection } from './order-panel-section.tsx';
import { RefundDialog } from './refund-dialog.tsx';

const states: Record<AdminRefund['state'], { label: string; tone: 'neutral' | 'good' | 'bad' }> = {
  asking: { label: 'On its way', tone: 'neutral' },
  pending: { label: 'On its way', tone: 'neutral' },
  succeeded: { label: 'Refunded', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** The refunds of an order, with a button to make a refund. */
export function Refunds({ order }: { order: AdminOrder }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const remainingAmount = order.totalAmount - order.refundedAmount;
  const isDisputed = order.disputes.some((it) => it.holdsMoney);
  const mayRefund = remainingAmount > 0 && !isDisputed;
  useShortcuts({ r: mayRefund ? () => setIsDialogOpen(true) : undefined });
  return (
    <OrderPanelSection title="Refunds">
      {order.refunds.length === 0 ? (
        <p className="text-muted">No refunds.</p>
      ) : (
        <ul className="divide-y divide-hair">
          {order.refunds.map((refund) => (
            <Refund key={refund.id} refund={refund} />
          ))}
        </ul>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="secondary" size="small" disabled={!mayRefund} onClick={() => setIsDialogOpen(true)}>
          <Undo2 aria-hidden className="size-4.5" />
          Refund...
        </Button>
        <p className="text-sm text-muted">
          {remainingAmount === 0
            ? 'The whole order was refunded.'
            : isDisputed
              ? 'The customer’s bank has taken this payment back, so it can’t be refunded.'
              : `You can still refund ${formatDollars(remainingAmount)}.`}
        </p>
      </div>
      {isDialogOpen && <RefundDialog order={order} onClose={() => setIsDialogOpen(false)} />}
    </OrderPanelSection>
  );
}

function Refund({ refund }: { refund: AdminRefund }) {
  const { label, tone } = states[refund.state];
  return (
    <li className="py-3 first:pt-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold tabular-nums">{formatDollars(refund.amount)}</span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="break-words">{refund.reason}</p>
      <p className="text-sm text-muted">
        {shortMomentText(refund.createdAt)}
        {refund.giftCards && ` · to ${giftCardsText(refund.giftCards)}`}
        {refund.photosWithdrawn > 0 && ` · ${withdrawnPhotosText(refund)}`}
      </p>
      {refund.state === 'failed' && (
        <p className="text-sm text-bad">
          The refund failed. Please try again, or agree on another way with the customer and add it to the notes.
        </p>
      )}
      {refund.state === 'asking' && (
        <p className="text-sm text-muted">
          We’ll keep checking with the payment provider. You don’t need to do anything.
        </p>
      )}
    </li>
  );
}

const withdrawnPhotosText = ({ state, photosWithdrawn }: AdminRefund) =>
  `${countText(photosWithdrawn, 'unused photo')} ${state === 'failed' ? 'restored' : 'removed'}`;
