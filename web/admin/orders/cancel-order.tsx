import { Ban } from 'lucide-react';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { Button } from '../../ui/button.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { OrderPanelSection } from './order-panel-section.tsx';

/** Says whether the order is canceled or can be canceled, with a button to cancel it. */
export function CancelOrder({ order }: { order: AdminOrder }) {
  const [isOpen, setIsOpen] = useState(false);
  if (order.canceledAt)
    return (
      <OrderPanelSection title="Canceled">
        <p>
          This order was canceled {shortMomentText(order.canceledAt)}. It can’t be shipped, and no more photos can be
          added.
          {order.refundedAmount < order.totalAmount && ' The refund didn’t go through. Please refund it again above.'}
        </p>
      </OrderPanelSection>
    );
  const reasonNotCanceled = explainNotCanceled(order);
  return (
    <OrderPanelSection title="Cancel order">
      <p className="text-muted">
        {reasonNotCanceled ??
          'This refunds what’s left, stops work on the videos and ends the links. You can check everything first.'}
      </p>
      <Button
        look="secondary"
        size="small"
        className="mt-3"
        disabled={reasonNotCanceled !== undefined}
        onClick={() => setIsOpen(true)}
      >
        <Ban aria-hidden className="size-4.5" />
        Cancel order...
      </Button>
      {isOpen && <CancelDialog order={order} onClose={() => setIsOpen(false)} />}
    </OrderPanelSection>
  );
}

function explainNotCanceled(order: AdminOrder): string | undefined {
  if (order.productType === 'photo-bundle')
    return 'This order only adds photos to a frame. Refund it, or cancel the order of its frame.';
  if (order.parcel || order.orderStatus === 'shipped')
    return 'This order has shipped, so it can’t be canceled. Please refund it when the package is back.';
  if (order.orderStatus === 'completed' && !order.isShippable)
    return 'Everything in this order has been delivered, so there’s nothing left to cancel. You can still refund it.';
  if (order.refundedAmount === order.totalAmount)
    return 'This order was refunded in full, so there’s nothing to cancel.';
  if (order.disputes.some((it) => it.holdsMoney))
    return 'The customer’s bank has taken the payment back, so the order can’t be canceled. Please respond to the dispute.';
  return undefined;
}
