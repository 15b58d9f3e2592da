import { ArrowLeft } from 'lucide-react';
import { Fragment } from 'react';
import { dayText } from '#contract/calendar.ts';
import { countText } from '#contract/count-text.ts';
import { parcelRecipientName } from '#contract/gifts.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { paths } from '../../paths.ts';
import { AddressLines } from '../../ui/address-lines.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { GiftSheet } from './gift-receipt.tsx';
import { PrintButton, type PrintSheetProps, sheetStyle } from './print-sheet.tsx';

interface PackingSlipsProps {
  orders: readonly AdminOrder[];
  /** The number of requested orders that were not found. */
  missing: number;
  shopName: string;
  supportEmail: string;
  /** The full URL of the guide to connect a frame. It is printed, so readers have to type it. */
  guideAddress: string;
}

/** The packing slips of several orders, one on each page. The slip of a gift is followed by the gift's card. */
export function PackingSlips({ orders, missing, ...shop }: PackingSlipsProps) {
  const printedOrders = orders.filter((it) => it.isShippable);
  const otherOrders = orders.filter((it) => !it.isShippable);
  const onlyOrder = orders.length === 1 ? orders[0] : undefined;
  return (
    <div className="wrap max-w-3xl py-8 sm:py-12 print:max-w-none print:py-0">
      <div className="print:hidden">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Link
            to={`${paths.admin}?tab=orders${onlyOrder ? `&order=${onlyOrder.id}` : ''}`}
            className="link inline-flex min-h-11 items-center gap-2"
          >
            <ArrowLeft aria-hidden className="size-4.5" />
            {onlyOrder ? `Order ${onlyOrder.orderNumber}` : 'Orders'}
          </Link>
          {printedOrders.length > 0 && <PrintButton />}
        </div>
        <h1 className="title-2 mt-4">
          {printedOrders.length > 0 ? countText(printedOrders.length, 'packing slip') : 'No packing slips'}
        </h1>
        {printedOrders.length === 0 && (
          <p className="mt-2 text-muted">Select orders that have something to ship, then print their packing slips.</p>
        )}
        {otherOrders.length > 0 && (
          <Notice tone="warn" title="Nothing to ship" className="mt-5">
            <p>{otherOrders.map((it) => it.orderNumber).join(', ')}</p>
          </Notice>
        )}
        {missing > 0 && (
          <Notice tone="warn" title={`${countText(missing, 'order')} not found`} className="mt-5">
            <p>Select the orders again in the list.</p>
          </Notice>
        )}
      </div>
      {printedOrders.map((order) => (
        <Fragment key={order.id}>
          <div className="break-before-page">
            <Slip order={order} {...shop} />
          </div>
          {order.gift && (
            <div className="break-before-page">
              <GiftSheet order={order} {...shop} />
            </div>
          )}
        </Fragment>
      ))}
    </div>
  );
}

/** One packing slip: the content and the address of the package, without prices. */
function Slip({ order, shopName, supportEmail, guideAddress }: PrintSheetProps & { guideAddress: string }) {
  // The frame is the first line of an order. Photo packages are not shipped.
  const [goods, ...services] = order.lines;
  return (
    <article aria-label={`Packing slip of order ${order.orderNumber}`} className={sheetStyle}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="font-serif text-xl text-accent-deep">{shopName}</p>
        <p>
          Order <span className="font-semibold">{order.orderNumber}</span>, {dayText(order.createdAt)}
        </p>
      </div>
      <h2 className="title-2 mt-8">Packing slip</h2>
      <section className="mt-6">
        <h3 className="font-semibold">Ship to</h3>
        <div className="mt-1 text-lg break-words">
          <p>{parcelRecipientName(order)}</p>
          {order.shippingAddress && <AddressLines address={order.shippingAddress} />}
        </div>
      </section>
      <section className="mt-8">
        <h3 className="font-semibold">In this package</h3>
        <ul className="mt-2 divide-y divide-hair border-y border-hair">
          {goods && (
            <li className="flex items-center gap-4 py-3">
              <span aria-hidden className="size-5 shrink-0 rounded-sm border border-ink" />
              <span className="whitespace-nowrap tabular-nums">{goods.quantity} ×</span>
              <span>{goods.label}</span>
            </li>
          )}
        </ul>
        {services.length > 0 && (
          <p className="mt-3 text-muted">
            Not in the package:{' '}
            {services.map((it) => (it.quantity > 1 ? `${it.quantity} × ${it.label}` : it.label)).join(', ')}. The videos
            arrive over Wi-Fi.
          </p>
        )}
      </section>
      <section className="mt-8 border-t border-hair pt-6 text-muted">
        <p>
          How to connect the frame: <span className="break-all text-ink">{guideAddress}</span>
        </p>
        <p className="mt-1">
          Questions? Email <span className="break-all text-ink">{supportEmail}</span> and include the order number.
        </p>
      </section>
    </article>
  );
}
