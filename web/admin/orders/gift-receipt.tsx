import { ArrowLeft, Printer } from 'lucide-react';
import { dayWords } from '#contract/calendar.ts';
import { signatureOf } from '#contract/gifts.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';

/** One sheet for the parcel of a present: the card's words, and what is needed to exchange it, without prices. */
export function GiftReceipt(props: { order: AdminOrder; shopName: string; supportEmail: string }) {
  const { order, shopName, supportEmail } = props;
  const hydrated = useHydrated();
  const { gift, lines, orderNumber, createdAt } = order;
  return (
    <div className="wrap max-w-3xl py-8 sm:py-12 print:max-w-none print:py-0">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <Link to={`/admin?tab=orders&order=${order.id}`} className="link inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden className="size-4.5" />
          Order {orderNumber}
        </Link>
        <Button look="secondary" size="small" disabled={!hydrated} onClick={() => window.print()}>
          <Printer aria-hidden className="size-4.5" />
          Print
        </Button>
      </div>
      <article className="mt-6 rounded-xl border border-hair bg-card p-6 sm:p-12 print:mt-0 print:border-0 print:bg-transparent print:p-0">
        <p className="font-serif text-xl text-accent-deep">{shopName}</p>
        {gift ? (
          <>
            <h1 className="title-2 mt-8 break-words">For {gift.recipientName}</h1>
            {gift.message && (
              <p className="mt-6 font-serif text-2xl leading-relaxed break-words whitespace-pre-line">{gift.message}</p>
            )}
            <p className="mt-6 font-serif text-xl break-words">{signatureOf(order)}</p>
          </>
        ) : (
          <h1 className="title-2 mt-8">This order is no gift</h1>
        )}
        <section className="mt-12 border-t border-hair pt-6">
          <h2 className="title-3">Gift receipt</h2>
          <ul className="mt-3 space-y-1">
            {lines.map(({ label, quantity }) => (
              <li key={label}>{quantity > 1 ? `${quantity} × ${label}` : label}</li>
            ))}
          </ul>
          <p className="mt-4">
            Order {orderNumber}, {dayWords(createdAt)}
          </p>
          <p className="mt-1 text-muted">
            Something not right, or to be exchanged? Write to {supportEmail} and mention the order number.
          </p>
        </section>
      </article>
    </div>
  );
}
