import { ArrowLeft, Images, Mail, MapPin, Printer, ReceiptText, Route, Star } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { dayText } from '#contract/calendar.ts';
import { parcelRecipientName } from '#contract/gifts.ts';
import type { OrderDetail } from '#contract/orders.ts';
import { trackingUrl } from '#contract/tracking.ts';
import { send } from '../../data/api.ts';
import { AddressLines } from '../../ui/address-lines.tsx';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { useAddress } from '../../ui/navigation.tsx';
import { EmptyState, ProgressBar } from '../../ui/surfaces.tsx';
import { customerQuery } from '../customer.ts';
import { GiftDetailsCard } from '../gift-card.tsx';
import { OpenEmailedLinkButton } from '../open-emailed-link-button.tsx';
import { OrderLinesAndTotals } from '../order-lines-and-totals.tsx';
import { deliveryText } from '../order-stage.ts';
import { OrderStatusBadge } from '../order-status.tsx';
import { paymentMeansText } from '../purchase-text.ts';
import { TitledCard } from '../titled-card.tsx';
import { ReturnsCard } from './returns-card.tsx';
import { addPhotosLabel, isRefunded, createPhotoLinks, type OrderFrame } from './photo-links.ts';
import { countText } from '#contract/count-text.ts';

interface Props {
  order: OrderDetail;
  /** The order-access token in the address, for visitors who are not signed in. */
  session: string | undefined;
  shopName: string;
  supportEmail: string;
}

/** /orders/KF-…: an order's status and payment. The printed page is the receipt. */
export function OrderPage({ order, session, shopName, supportEmail }: Props) {
  return (
    <section className="wrap py-8 sm:py-12 print:max-w-none print:py-0">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        {session === undefined ? (
          <Link to={paths.orders} className="link inline-flex min-h-11 items-center gap-2">
            <ArrowLeft aria-hidden className="size-4.5" />
            Your orders
          </Link>
        ) : (
          <Link to={paths.purchaseSuccess(session)} className="link inline-flex min-h-11 items-center gap-2">
            <ArrowLeft aria-hidden className="size-4.5" />
            Order confirmation
          </Link>
        )}
        <Button look="secondary" size="small" className="needs-script" onClick={() => window.print()}>
          <Printer aria-hidden className="size-4.5" />
          Print receipt
        </Button>
      </div>
      <p className="hidden font-serif text-2xl text-accent-deep print:block">{shopName}</p>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="title-2">
          <span className="hidden print:inline">Receipt for order </span>
          <span className="print:hidden">Order </span>
          <span className="whitespace-nowrap">{order.orderNumber}</span>
        </h1>
        <span className="print:hidden">
          <OrderStatusBadge order={order} />
        </span>
      </div>
      <p className="mt-2 text-muted">
        Paid by {paymentMeansText(order)} on {dayText(order.createdAt)}.
      </p>
      <div className="mt-8 grid gap-6 lg:grid-cols-[minmax(0,1fr)_25rem] lg:items-start print:block print:space-y-6">
        <div className="grid gap-6">
          <div className="grid gap-6 print:hidden">
            <GiftDetailsCard order={order} session={session} />
            {order.mayReview && <ReviewCard order={order} />}
            <HistoryCard order={order} />
            {order.frames.length > 0 && <FramesCard order={order} session={session} />}
            {order.hasReturns && <ReturnsCard order={order} session={session} />}
          </div>
          <BuyerCard order={order} />
        </div>
        <TitledCard icon={ReceiptText} title="What you paid" className="lg:sticky lg:top-24">
          <OrderLinesAndTotals order={order} />
        </TitledCard>
      </div>
      <p className="mt-8 text-muted">
        Something not right? Email{' '}
        <a href={`mailto:${supportEmail}?subject=Order%20${order.orderNumber}`} className="link break-words">
          {supportEmail}
        </a>{' '}
        and include the order number.
      </p>
    </section>
  );
}

function ReviewCard({ order: { orderNumber, gift, hasReview } }: { order: OrderDetail }) {
  const reviewQuestion = gift ? 'How did they like it?' : 'How do you like it?';
  return (
    <TitledCard icon={Star} title={hasReview ? 'Your review' : reviewQuestion}>
      <p>
        {hasReview
          ? 'Thank you. You can see if your review is on our page yet, or delete it.'
          : 'Stars and a few sentences help the next family choose.'}
      </p>
      <div className="mt-5">
        <OpenEmailedLinkButton
          words="Your review"
          failure="We couldn’t open your review"
          open={() => send('POST /api/orders/:orderNumber/review-link', { params: { orderNumber } })}
        />
      </div>
    </TitledCard>
  );
}

function HistoryCard({ order }: { order: OrderDetail }) {
  return (
    <TitledCard icon={Route} title="Order history">
      <ol className="relative space-y-5 before:absolute before:top-3 before:bottom-3 before:left-[0.4375rem] before:w-px before:bg-edge">
        {order.history.map(({ at, words }, index) => (
          <li key={`${at}${words}`} className="relative flex gap-4">
            <span
              aria-hidden
              className={`relative mt-1.5 size-[0.9375rem] shrink-0 rounded-full border-2 border-card ${index === order.history.length - 1 ? 'bg-accent' : 'bg-edge'}`}
            />
            <div className="min-w-0">
              <p className="break-words">{words}</p>
              <p className="text-[0.9375rem] text-muted">
                <time dateTime={at}>{dayText(at)}</time>
              </p>
            </div>
          </li>
        ))}
      </ol>
    </TitledCard>
  );
}

function FramesCard({ order, session }: { order: OrderDetail; session: string | undefined }) {
  return (
    <TitledCard icon={Images} title="Photos and videos">
      <ul className="space-y-5">
        {order.frames.map((frame) => (
          <li key={frame.name}>
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-semibold">{frame.name}</span>
              <span className="text-[0.9375rem] text-muted">{frameText(frame, order)}</span>
            </p>
            <ProgressBar
              className="mt-2"
              label={`Photos for ${frame.name}`}
              value={frame.photoLimit === 0 ? 0 : frame.usedPhotos / frame.photoLimit}
            />
          </li>
        ))}
      </ul>
      {!order.canceledAt && (
        <div className="mt-6 flex flex-wrap gap-3">
          {createPhotoLinks(order).map((words) => (
            <LinkButton
              key={words}
              look={words === addPhotosLabel ? 'primary' : 'secondary'}
              to={paths.uploadWithSession(session)}
            >
              {words}
            </LinkButton>
          ))}
          {session === undefined && (
            <LinkButton look="secondary" to={paths.connect()}>
              {order.frames.length === 1 ? 'Connect the frame' : 'Connect the frames'}
            </LinkButton>
          )}
        </div>
      )}
    </TitledCard>
  );
}

function frameText(frame: OrderFrame, { canceledAt }: OrderDetail) {
  const { usedPhotos, photoLimit, isFinalized, videosReadyAt } = frame;
  if (isRefunded(frame)) return 'Refunded';
  if (canceledAt && !frame.videosReadyAt) return `Canceled, ${countText(usedPhotos, 'photo')}`;
  const readyText = videosReadyAt && `Videos ready since ${dayText(videosReadyAt)}`;
  // A frame with videos that is not finalized was reopened by an extra package.
  if (readyText) return isFinalized ? readyText : `${readyText}; ${usedPhotos} of ${photoLimit} photos`;
  return isFinalized ? `${countText(usedPhotos, 'photo')}, being made` : `${usedPhotos} of ${photoLimit} photos`;
}

function BuyerCard({ order }: { order: OrderDetail }) {
  const { shippingAddress, parcel, gift } = order;
  const delivery = order.estimatedDelivery && deliveryText(order, order.estimatedDelivery);
  const tracking = parcel && trackingUrl(parcel.carrier, parcel.trackingNumber);
  return (
    <TitledCard icon={shippingAddress ? MapPin : Mail} title={shippingAddress ? 'Delivery' : 'Customer'}>
      <div className="grid gap-6 sm:grid-cols-2">
        <div className="min-w-0 break-words">
          <p className="font-semibold">{parcelRecipientName(order)}</p>
          {!gift && <p className="text-muted">{order.email}</p>}
          {shippingAddress && <AddressLines address={shippingAddress} />}
        </div>
        {delivery && (
          <div className="min-w-0 print:hidden">
            <p className="font-semibold">{delivery.title}</p>
            {parcel?.deliveredAt && <p>Delivered on {dayText(parcel.deliveredAt)}</p>}
            <p>{parcel ? `Shipped on ${dayText(parcel.shippedAt)}` : delivery.when}</p>
            {!parcel && delivery.condition && <p>{delivery.condition}</p>}
            {parcel?.carrier && (
              <p className="break-words">{[parcel.carrier, parcel.trackingNumber].filter(Boolean).join(': ')}</p>
            )}
            {tracking && (
              <p>
                <a href={tracking} target="_blank" rel="noreferrer" className="link">
                  Track the package, opens in a new tab
                </a>
              </p>
            )}
          </div>
        )}
      </div>
      {gift && (
        <p className="mt-5 break-words text-muted">
          A gift from {order.customerFirstName} {order.customerLastName}, {order.email}
        </p>
      )}
    </TitledCard>
  );
}

/**
 * Shown if the order does not exist, or if it belongs to someone else. The text is the same, so that it does not reveal
 * order numbers. A signed-out visitor is asked to sign in, because the order may be this visitor's.
 */
export function UnknownOrder() {
  const { data: customer } = useQuery(customerQuery());
  const { pathname } = useAddress();
  const isSignedOut = customer === null;
  return (
    <section className="wrap py-10 sm:py-16">
      <h1 className="sr-only">Your order</h1>
      <EmptyState
        icon={<Mail aria-hidden className="size-6" />}
        title={isSignedOut ? 'Sign in to see your order' : 'We couldn’t find this order'}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            {isSignedOut ? (
              <LinkButton to={paths.signInFor(pathname)}>Sign In</LinkButton>
            ) : (
              <LinkButton to={paths.orders}>Go to your orders</LinkButton>
            )}
            <LinkButton look="secondary" to={paths.home}>
              Continue Shopping
            </LinkButton>
          </div>
        }
      >
        {isSignedOut
          ? 'Sign in to see the orders in your account. Bought as a guest? Open the link in your receipt. The link works for 30 days.'
          : 'Part of the link may be missing, or it may be more than 30 days old. Open the link in your receipt, or check your orders.'}
      </EmptyState>
    </section>
  );
}
