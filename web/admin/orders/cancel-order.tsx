import { Ban } from 'lucide-react';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { Button } from '../../ui/button.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { Part } from './part.tsx';

/** Says whether the order is canceled or can be canceled, with a button to cancel it. */
export function CancelOrder({ order }: { order: AdminOrder }) {
  const [isOpen, setIsOpen] = useState(false);
  if (order.canceledAt)
    return (
      <Part title="Canceled">
        <p>
          This order was canceled {shortMomentText(order.canceledAt)}. It accepts no more photos and cannot be shipped.
          {order.refundedAmount < order.totalAmount && ' Its refund did not go through. Refund it again above.'}
        </p>
      </Part>
    );
  const whyNot = whyNotCanceled(order);
  return (
    <Part title="Cancel order">
      <p className="text-muted">
        {whyNot ?? 'Refunds what is left, stops the videos and ends the links. You see everything before it happens.'}
      </p>
      <Button
        look="secondary"
        size="small"
        className="mt-3"
        disabled={whyNot !== undefined}
        onClick={() => setIsOpen(true)}
      >
        <Ban aria-hidden className="size-4.5" />
        Cancel order...
      </Button>
      {isOpen && <CancelDialog order={order} onClose={() => setIsOpen(false)} />}
    </Part>
  );
}

function whyNotCanceled(order: AdminOrder): string | undefined {
  if (order.productType === 'photo-bundle')
    return 'This order only adds photos to a frame. Refund it, or cancel the order of its frame.';
  if (order.parcel || order.orderStatus === 'shipped')
    return 'The order has shipped, so it cannot be canceled. Refund it when the package is back.';
  if (order.orderStatus === 'completed' && !order.isShippable)
    return 'Everything in this order is delivered, so there is nothing left to cancel. You can still refund it.';
  if (order.refundedAmount === order.totalAmount) return 'The whole order was refunded, so there is nothing to cancel.';
  if (order.disputes.some((it) => it.holdsMoney))
    return 'The customer’s bank has taken the payment back, so the order cannot be canceled. Answer the dispute.';
  return undefined;
}
