import type { ReactNode } from 'react';
import { discountText, taxLabel } from '#contract/amount-text.ts';
import { kinframe, formatDollars } from '#contract/catalog.ts';
import type { OrderView } from '#contract/orders.ts';

/** The lines and totals of a paid order. Used on every page that shows a paid order. */
export function OrderLinesAndTotals({ order }: { order: OrderView }) {
  return (
    <>
      <dl className="space-y-3">
        {order.lines.map(({ label, quantity, unitCents, amountCents }) => (
          <Row key={label} label={label} detail={`${quantity} x ${formatDollars(unitCents)}`}>
            {formatDollars(amountCents)}
          </Row>
        ))}
      </dl>
      <dl className="mt-4 space-y-2 border-t border-hair pt-4">
        <Row label="Subtotal">{formatDollars(order.subtotalAmount)}</Row>
        {order.discountAmount > 0 && (
          <Row label={discountText(order.promoCode)}>{formatDollars(-order.discountAmount)}</Row>
        )}
        {order.productType.startsWith(kinframe) && <Row label="Shipping">Free</Row>}
        <Row label={taxLabel(order)}>{formatDollars(order.taxAmount)}</Row>
      </dl>
      <dl className="mt-4 space-y-2 border-t border-hair pt-4">
        <div className="flex items-baseline justify-between gap-4">
          <dt className="text-lg font-semibold">Total</dt>
          <dd className="font-serif text-3xl font-medium tabular-nums">{formatDollars(order.totalAmount)}</dd>
        </div>
        {order.giftCardAmount > 0 && (
          <>
            <Row label="Gift card">{formatDollars(-order.giftCardAmount)}</Row>
            {order.giftCardAmount < order.totalAmount && (
              <Row label="Paid by card">{formatDollars(order.totalAmount - order.giftCardAmount)}</Row>
            )}
          </>
        )}
        {order.refundedAmount > 0 && (
          <>
            <Row label="Refunded">{formatDollars(-order.refundedAmount)}</Row>
            <Row label="Remains">{formatDollars(order.totalAmount - order.refundedAmount)}</Row>
          </>
        )}
      </dl>
    </>
  );
}

function Row({ label, detail, children }: { label: string; detail?: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="min-w-0">
        {label}
        {detail && <span className="block text-[0.9375rem] text-muted tabular-nums">{detail}</span>}
      </dt>
      <dd className="shrink-0 tabular-nums">{children}</dd>
    </div>
  );
}
