import { ArrowLeft } from 'lucide-react';
import { dayText } from '#contract/calendar.ts';
import { giftCardSignature } from '#contract/gifts.ts';
import { Link } from '../../ui/link.tsx';
import { PrintButton, type PrintSheetProps, sheetStyle } from './print-sheet.tsx';

/** /admin/gift-receipt/{id}: the page to print the gift receipt of an order. */
export function GiftReceipt(props: PrintSheetProps) {
  const { order } = props;
  return (
    <div className="wrap max-w-3xl py-8 sm:py-12 print:max-w-none print:py-0">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <Link to={`/admin?tab=orders&order=${order.id}`} className="link inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden className="size-4.5" />
          Order {order.orderNumber}
        </Link>
        <PrintButton />
      </div>
      <GiftSheet {...props} />
    </div>
  );
}

/** A sheet for a gift's package, without prices: the card's text, and the details that an exchange needs. */
export function GiftSheet({ order, shopName, supportEmail }: PrintSheetProps) {
  const { gift, lines, orderNumber, createdAt } = order;
  return (
    <article className={sheetStyle}>
      <p className="font-serif text-xl text-accent-deep">{shopName}</p>
      {gift ? (
        <>
          <h1 className="title-2 mt-8 break-words">For {gift.recipientName}</h1>
          {gift.message && (
            <p className="mt-6 font-serif text-2xl leading-relaxed break-words whitespace-pre-line">{gift.message}</p>
          )}
          <p className="mt-6 font-serif text-xl break-words">{giftCardSignature(order)}</p>
        </>
      ) : (
        <h1 className="title-2 mt-8">This order is not a gift</h1>
      )}
      <section className="mt-12 border-t border-hair pt-6">
        <h2 className="title-3">Gift receipt</h2>
        <ul className="mt-3 space-y-1">
          {lines.map(({ label, quantity }) => (
            <li key={label}>{quantity > 1 ? `${quantity} × ${label}` : label}</li>
          ))}
        </ul>
        <p className="mt-4">
          Order {orderNumber}, {dayText(createdAt)}
        </p>
        <p className="mt-1 text-muted">
          Something not right, or need an exchange? Email {supportEmail} and include the order number.
        </p>
      </section>
    </article>
  );
}
