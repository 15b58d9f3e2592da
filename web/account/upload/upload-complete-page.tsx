import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { dayText } from '#contract/calendar.ts';
import type { OrderSummary } from '#contract/orders.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Card, EmptyState, ProgressBar, Skeleton } from '../../ui/surfaces.tsx';
import { isOpenedByLink } from '../opened-by-link.ts';
import { LoadProblem } from '../load-problem.tsx';
import { OrderLinesAndTotals } from '../order-lines-and-totals.tsx';
import { OrderStatusBadge } from '../order-status.tsx';
import { orderSummaryQuery } from '../order-queries.ts';
import { countText } from '#contract/count-text.ts';
import { useHydrated } from '../../ui/use-hydrated.ts';

const stepsAfterUpload = [
  'We turn each of your photos into a short video. This takes 24-72 hours.',
  'You’ll get an email with a private page where you can watch and save every video.',
  'Your videos arrive on your frame over Wi-Fi.',
];

/** /upload-complete: what happens next, and the order's summary. */
export function UploadCompletePage({ how, session }: { how: 'finalized' | 'comeback'; session: string | undefined }) {
  const { data, error, refetch } = useQuery(orderSummaryQuery(session));
  return (
    <section className="wrap max-w-5xl py-10 sm:py-16">
      {how === 'finalized' ? <FinalizedSummary /> : <ComeBackLaterNote />}
      {error ? (
        <LoadProblem title="We couldn’t load your order" error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          {data ? (
            <Summary summary={data} how={how} session={session} />
          ) : (
            <Skeleton className="mt-10 h-80 rounded-xl" />
          )}
        </>
      )}
    </section>
  );
}

function FinalizedSummary() {
  return (
    <>
      <span className="grid size-14 place-items-center rounded-full bg-good text-white">
        <Check aria-hidden className="size-7" />
      </span>
      <h1 className="title-2 mt-5">Thank you. Your photos are in good hands.</h1>
      <ol className="mt-6 max-w-2xl space-y-4">
        {stepsAfterUpload.map((words, index) => (
          <li key={words} className="flex gap-4 text-lg">
            <span className="grid size-9 shrink-0 place-items-center rounded-full bg-linen font-semibold text-accent-deep">
              {index + 1}
            </span>
            {words}
          </li>
        ))}
      </ol>
    </>
  );
}

function ComeBackLaterNote() {
  return (
    <>
      <h1 className="title-2">See you soon</h1>
      <p className="lede mt-4 max-w-2xl">
        Every photo you’ve added is safe. Come back whenever you like to add more. When you have them all, tap I'm Done
        and we’ll start making your videos.
      </p>
    </>
  );
}

/** Shown if no one is signed in. A visitor who came by an upload link gets a link back to the photos. */
function NoOrders({ how }: Pick<SummaryProps, 'how'>) {
  const hasLink = useHydrated() && isOpenedByLink();
  return (
    <div className="mt-10 rounded-xl bg-linen/60">
      {hasLink ? (
        <EmptyState
          title="Your link still works"
          action={<LinkButton to={paths.customerUpload}>Go to your photos</LinkButton>}
        >
          The link shows all the photos you added, from any device, until it expires.
        </EmptyState>
      ) : (
        <EmptyState
          title="Sign in to see your order"
          action={<LinkButton to={paths.signInFor(paths.uploadComplete(how))}>Sign In</LinkButton>}
        >
          Your order summary and your photos are in your account.
        </EmptyState>
      )}
    </div>
  );
}

interface SummaryProps {
  summary: OrderSummary;
  how: 'finalized' | 'comeback';
  session: string | undefined;
}

function Summary({ summary, how, session }: SummaryProps) {
  const { photoSummary, orders } = summary;
  const isOpen = orders.some((it) => !it.isFinalized);
  if (orders.length === 0) return <NoOrders how={how} />;
  return (
    <div className="mt-10 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <ul className="space-y-6">
        {orders.map((order) => (
          <li key={order.id}>
            <Card>
              <div className="flex flex-wrap items-center justify-between gap-3">
                <h2 className="title-3">Order {order.orderNumber}</h2>
                <OrderStatusBadge order={order} />
              </div>
              <p className="mt-1 text-[0.9375rem] text-muted">{dayText(order.createdAt)}</p>
              <div className="mt-5">
                <OrderLinesAndTotals order={order} />
              </div>
              <Link
                to={paths.order(order.orderNumber, session)}
                className="link mt-3 inline-flex min-h-11 items-center"
              >
                View order and receipt
              </Link>
            </Card>
          </li>
        ))}
      </ul>
      <Card>
        <h2 className="title-3">Your photos</h2>
        <p className="mt-3 font-serif text-4xl">
          {photoSummary.uploadedPhotos}
          <span className="text-xl text-muted"> of {photoSummary.totalCapacity}</span>
        </p>
        <ProgressBar
          value={photoSummary.totalCapacity === 0 ? 0 : photoSummary.uploadedPhotos / photoSummary.totalCapacity}
          label="Photos used"
          className="mt-3"
        />
        <p className="mt-3 text-muted">
          {isOpen
            ? `${countText(photoSummary.uploadedPhotos, 'photo')} added so far.`
            : photoSummary.uploadedPhotos === 1
              ? 'We have your photo.'
              : `We have all ${photoSummary.uploadedPhotos} of your photos.`}
        </p>
        <LinkButton look={isOpen ? 'primary' : 'secondary'} wide to={paths.upload} className="mt-5">
          {isOpen ? 'Back to my photos' : 'Look at my photos'}
        </LinkButton>
        {how === 'finalized' && isOpen && (
          <p className="mt-3 text-[0.9375rem] text-muted">One of your frames still needs photos.</p>
        )}
      </Card>
    </div>
  );
}
