import { useQuery } from '@tanstack/react-query';
import { CalendarDays, Download, Images, Package, ReceiptText, Sparkles } from 'lucide-react';
import { parcelRecipientName } from '#contract/gifts.ts';
import type { DeliveryEstimate, OrderSummary, OrderView } from '#contract/orders.ts';
import { UnknownOrder } from '../account/orders/order-page.tsx';
import { GiftDetailsCard } from '../account/gift-card.tsx';
import { OrderLinesAndTotals } from '../account/order-lines-and-totals.tsx';
import { OrderStatusBadge } from '../account/order-status.tsx';
import { deliveryText, listDoneSteps, hasShipped } from '../account/order-stage.ts';
import { orderSummaryQuery } from '../account/order-queries.ts';
import { TitledCard } from '../account/titled-card.tsx';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import { ProgressBar } from '../ui/surfaces.tsx';
import { expectToasts, toast } from '../ui/toast.ts';
import { withoutLineBreaks } from '../ui/without-line-breaks.tsx';
import { AddressLines } from '../ui/address-lines.tsx';
import { useAddPhotosPath } from './add-photos-path.ts';

/** The order confirmation: the products, the status and the next steps. */
export function PurchaseSuccessPage({ session }: { session: string | undefined }) {
  const { data } = useQuery(orderSummaryQuery(session));
  const [order] = data?.orders ?? [];
  if (!data || !order) return <UnknownOrder />;
  return <Confirmation session={session} summary={data} order={order} />;
}

interface Props {
  session: string | undefined;
  summary: OrderSummary;
  /** The order to confirm: the newest order, if a signed-in customer has several orders. */
  order: OrderView;
}

function Confirmation({ session, summary, order }: Props) {
  const isDigital = order.productType === 'byof';
  const addPhotosPath = useAddPhotosPath(session);
  const areAllFinalized = summary.orders.every((it) => it.isFinalized);
  return (
    <section className="wrap pt-10 pb-16 sm:pt-16 sm:pb-24">
      <div className="max-w-3xl">
        <OrderStatusBadge order={order} />
        <h1 className="title-2 mt-4">Thank you for your order, {order.customerFirstName}!</h1>
        <p className="lede mt-4">
          Your payment went through. {hasShipped(order) ? 'The receipt for order' : 'Order'}{' '}
          <strong className="font-semibold whitespace-nowrap text-ink">{order.orderNumber}</strong>{' '}
          {hasShipped(order) ? 'went to' : 'is confirmed, and we’re emailing the receipt to'}{' '}
          <span className="font-medium break-words text-ink">{order.email}</span>.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          {!areAllFinalized && <LinkButton to={addPhotosPath}>Upload More Photos</LinkButton>}
          <LinkButton look={areAllFinalized ? 'primary' : 'secondary'} to={paths.home}>
            Continue Shopping
          </LinkButton>
        </div>
      </div>
      <div className="mt-12 grid gap-6 lg:grid-cols-[minmax(0,1fr)_25rem] lg:items-start">
        <div className="grid gap-6">
          <PhotoCard summary={summary} order={order} />
          <GiftDetailsCard order={order} session={session} />
          {order.shippingAddress && summary.estimatedDelivery ? (
            <ShippingCard order={order} estimate={summary.estimatedDelivery} />
          ) : (
            <DigitalDeliveryCard order={order} />
          )}
          <NextCard isDigital={isDigital} done={listDoneSteps(order)} />
        </div>
        <div className="lg:sticky lg:top-24">
          <LinesCard order={order} session={session} />
        </div>
      </div>
      {summary.orders.length > 1 && (
        <p className="mt-8 text-muted">
          This is the latest of your {summary.orders.length} orders.{' '}
          <Link to={paths.orders} className="link">
            See all your orders
          </Link>
          .
        </p>
      )}
    </section>
  );
}

function LinesCard({ order, session }: { order: OrderView; session: string | undefined }) {
  return (
    <TitledCard icon={ReceiptText} title="Order summary">
      <OrderLinesAndTotals order={order} />
      <Link
        to={paths.order(order.orderNumber, session)}
        className="link mt-4 inline-flex min-h-11 items-center font-medium"
      >
        View order and receipt
      </Link>
    </TitledCard>
  );
}

function PhotoCard({ summary: { photoSummary }, order }: { summary: OrderSummary; order: OrderView }) {
  const { uploadedPhotos, totalCapacity } = photoSummary;
  const placesLeft = totalCapacity - uploadedPhotos;
  return (
    <TitledCard icon={Images} title="Photo upload summary">
      <p>
        <span className="font-serif text-3xl font-medium tabular-nums">{uploadedPhotos}</span>
        <span className="text-muted"> of {totalCapacity} photos uploaded</span>
      </p>
      <ProgressBar
        className="mt-3"
        label="Photos uploaded"
        value={totalCapacity > 0 ? uploadedPhotos / totalCapacity : 0}
      />
      <p className="mt-3 text-[0.9375rem] text-muted">
        {order.isFinalized
          ? `Your photos are complete${hasShipped(order) ? '' : ', and we are bringing them to life'}.`
          : placesLeft > 0
            ? `You have room for ${placesLeft} more. We’ll start as soon as you tell us you’re done.`
            : 'Your frame is full. We’ll start as soon as you tell us you’re done.'}
      </p>
    </TitledCard>
  );
}

function ShippingCard({ order, estimate }: { order: OrderView; estimate: DeliveryEstimate }) {
  const delivery = deliveryText(order, estimate);
  return (
    <TitledCard icon={Package} title="Shipping details">
      <div className="grid gap-6 sm:grid-cols-2">
        <div className="break-words">
          <p className="font-semibold">{parcelRecipientName(order)}</p>
          {order.shippingAddress && <AddressLines address={order.shippingAddress} />}
          <Button
            look="quiet"
            size="small"
            className="mt-1 -ml-4 font-medium text-accent-deep underline decoration-1 underline-offset-4"
            onFocus={expectToasts}
            onPointerEnter={expectToasts}
            onClick={() =>
              toast({
                title: 'Contact Support',
                description: 'Please contact support to change your shipping address.',
              })
            }
          >
            Change address
          </Button>
        </div>
        <div>
          <p className="flex items-center gap-2 font-semibold">
            <CalendarDays aria-hidden className="size-5 text-accent" />
            {delivery.title}
          </p>
          <p className="mt-1 text-lg">{delivery.when}</p>
          {delivery.condition && <p>{delivery.condition}</p>}
          <p className="mt-1 text-[0.9375rem] text-muted">{delivery.note}</p>
        </div>
      </div>
      {order.shippingAddress?.country === 'CA' && (
        <p className="mt-4 text-[0.9375rem] text-muted">Canada may charge import duties when your package arrives.</p>
      )}
    </TitledCard>
  );
}

function DigitalDeliveryCard({ order }: { order: OrderView }) {
  return (
    <TitledCard icon={Download} title="Digital delivery">
      <p>
        Your videos go straight to your own frame over Wi-Fi. A private backup link comes by email to{' '}
        <span className="font-medium break-words">{order.email}</span>.
      </p>
      <p className="mt-3 text-[0.9375rem] text-muted">
        Ready 24-72 hours after you finish uploading. Nothing is shipped.
      </p>
    </TitledCard>
  );
}

function NextCard({ isDigital, done }: { isDigital: boolean; done: boolean[] }) {
  const steps = [
    {
      title: 'Upload your photos',
      words:
        'Choose the ones you love, then press “I’m Done”. JPG or PNG photos of at least 1200 x 1200 pixels work best.',
    },
    {
      title: 'We bring them to life',
      words: 'Every photo becomes a short video within 24-72 hours. We’ll email you when they’re ready.',
    },
    isDigital
      ? {
          title: 'They arrive on your frame',
          words: 'Add your frame’s invite code or QR code in My Uploads, and the videos arrive automatically.',
        }
      : {
          title: 'Your frame is on its way',
          words:
            'Processing and shipping take 2-3 business days. When it arrives, plug it in, connect it to Wi-Fi, and it plays.',
        },
  ];
  return (
    <TitledCard icon={Sparkles} title="What happens next">
      <ol className="space-y-5">
        {steps.map(({ title, words }, index) => {
          const isDone = done[index] === true;
          return (
            <li key={title} className="flex gap-4">
              <span
                aria-hidden
                className={`grid size-9 shrink-0 place-items-center rounded-full font-semibold ${isDone ? 'bg-good text-white' : 'bg-linen'}`}
              >
                {index + 1}
              </span>
              <div>
                <p className="font-semibold">
                  {title}
                  {isDone && <span className="font-normal text-good"> · done</span>}
                </p>
                <p className="text-muted">{withoutLineBreaks(words)}</p>
              </div>
            </li>
          );
        })}
      </ol>
      <p className="mt-6 border-t border-hair pt-5 text-[0.9375rem] text-muted">
        Any questions?{' '}
        <Link to={paths.support} className="link">
          Our support
        </Link>{' '}
        typically replies within 24 hours on business days.
      </p>
    </TitledCard>
  );
}
