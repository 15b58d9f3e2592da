import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useEffect } from 'react';
import { dayText } from '#contract/calendar.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';
import { Link } from '../../ui/link.tsx';
import { Card, Skeleton } from '../../ui/surfaces.tsx';
import { useGoTo } from '../customer.ts';
import { productName } from '../purchase-text.ts';
import { LoadProblem } from '../load-problem.tsx';
import { framesQuery, findNextPageAfterSignIn } from '../next-page.ts';
import { OrderStatusBadge } from '../order-status.tsx';

const steps = [
  { title: 'Order received', words: 'We have your payment and your order.', state: 'done' },
  {
    title: 'Setting up your frame',
    words: 'We’re getting your frame ready for your photos. This takes 24-48 hours.',
    state: 'now',
  },
  {
    title: 'Add your photos',
    words: 'As soon as your frame is ready, you can choose your photos here.',
    state: 'next',
  },
] as const;

/** /device-setup-pending: shown while a paid order has no frame yet. When the frame exists, opens its photos. */
export function DeviceSetupPendingPage() {
  const { data, error, isFetching, refetch } = useQuery(framesQuery());
  const goTo = useGoTo();
  const readyPage = data?.frameInfo.hasFrames ? findNextPageAfterSignIn(data.frameInfo) : undefined;
  useEffect(() => {
    if (readyPage !== undefined) goTo(readyPage, { replace: true });
    // oxlint-disable-next-line react/exhaustive-deps -- goTo navigates with the router, which never changes
  }, [readyPage]);
  if (error) return <LoadProblem title="Unable to load frame info" error={error} onRetry={() => void refetch()} />;
  if (!data || readyPage !== undefined) return <DeviceSetupSkeleton />;
  const { orders } = data.frameInfo;
  return (
    <section className="wrap max-w-3xl py-10 sm:py-16">
      <h1 className="title-2">We are setting up your frame</h1>
      <p className="lede mt-3">
        Estimated setup time: <strong className="text-ink">24-48 hours</strong>. You don’t need to do anything.
      </p>
      <Card className="mt-8">
        <ol className="space-y-6">
          {steps.map(({ title, words, state }, index) => (
            <li key={title} className="flex gap-4" {...(state === 'now' && { 'aria-current': 'step' as const })}>
              <span
                className={joinClassNames(
                  'grid size-11 shrink-0 place-items-center rounded-full font-semibold',
                  state === 'done' && 'bg-good text-white',
                  state === 'now' && 'bg-accent text-white',
                  state === 'next' && 'bg-linen text-muted',
                )}
              >
                {state === 'done' ? <Check aria-label="Done" className="size-5" /> : index + 1}
              </span>
              <div>
                <h2 className="font-sans text-lg font-semibold tracking-normal">{title}</h2>
                <p className="text-muted">{words}</p>
              </div>
            </li>
          ))}
        </ol>
        <Button
          look="secondary"
          className="mt-8"
          busy={isFetching}
          busyLabel="Checking..."
          onClick={() => void refetch()}
        >
          Check again
        </Button>
      </Card>
      <h2 className="title-3 mt-12">Recent orders</h2>
      {orders.length === 0 ? (
        <p className="mt-3 text-muted">
          You don’t have any orders in this account yet.{' '}
          <Link to={paths.chooseProduct} className="link">
            See our frames
          </Link>
        </p>
      ) : (
        <ul className="mt-4 divide-y divide-hair border-y border-hair">
          {orders.map((order) => (
            <li key={order.id} className="flex flex-wrap items-center justify-between gap-3 py-4">
              <span>
                <span className="block font-semibold">Order {order.orderNumber}</span>
                <span className="text-[0.9375rem] text-muted">
                  {productName(order.productType)} · {dayText(order.createdAt)}
                </span>
              </span>
              <OrderStatusBadge order={{ ...order, isFinalized: order.status !== 'pending' }} />
            </li>
          ))}
        </ul>
      )}
      <LinkButton look="quiet" to={paths.support} className="mt-8">
        Ask us about your order
      </LinkButton>
    </section>
  );
}

export function DeviceSetupSkeleton() {
  return (
    <section aria-busy className="wrap max-w-3xl py-10 sm:py-16">
      <h1 className="sr-only">We are setting up your frame</h1>
      <Skeleton className="h-12 w-4/5" />
      <Skeleton className="mt-4 h-7 w-3/5" />
      <Skeleton className="mt-8 h-90 rounded-xl" />
    </section>
  );
}
