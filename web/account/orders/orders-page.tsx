import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Package } from 'lucide-react';
import { dayText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import type { OrderView } from '#contract/orders.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { EmptyState, Skeleton } from '../../ui/surfaces.tsx';
import { LoadProblem } from '../load-problem.tsx';
import { orderSummaryQuery } from '../order-queries.ts';
import { OrderStatusBadge } from '../order-status.tsx';
import { purchaseText } from '../purchase-text.ts';

/** /orders: all orders of this customer, newest first. */
export function OrdersPage() {
  const { data, error, refetch } = useQuery(orderSummaryQuery());
  if (error) return <LoadProblem title="Unable to load your orders" error={error} onRetry={() => void refetch()} />;
  if (!data) return <OrdersSkeleton />;
  return (
    <section className="wrap max-w-4xl py-10 sm:py-16">
      <h1 className="title-2">Your orders</h1>
      {data.orders.length === 0 ? (
        <div className="mt-8 rounded-xl bg-linen/60">
          <EmptyState
            icon={<Package aria-hidden className="size-6" />}
            title="No orders here yet"
            action={<LinkButton to={paths.chooseProduct}>See our frames</LinkButton>}
          >
            Bought as a guest? Open the link in your receipt. Orders with your email address show up here once you
            confirm it.
          </EmptyState>
        </div>
      ) : (
        <ul className="mt-8 space-y-4">
          {data.orders.map((order) => (
            <OrderItem key={order.id} order={order} />
          ))}
        </ul>
      )}
    </section>
  );
}

function OrderItem({ order }: { order: OrderView }) {
  return (
    <li>
      <Link
        to={paths.order(order.orderNumber)}
        className="group flex items-center gap-4 rounded-xl border border-hair bg-card p-5 shadow-soft transition-colors hover:border-edge sm:p-6"
      >
        <span className="grid min-w-0 grow gap-x-6 gap-y-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-serif text-xl font-medium whitespace-nowrap">{order.orderNumber}</span>
              <OrderStatusBadge order={order} />
            </span>
            <span className="mt-1 block text-muted">
              {dayText(order.createdAt)} · {purchaseText(order)}
            </span>
            {order.mayReview && !order.hasReview && (
              <span className="mt-1 block text-accent-deep">
                Tell others how {order.gift ? 'they like' : 'you like'} it
              </span>
            )}
          </span>
          <span className="font-semibold tabular-nums sm:text-right">
            {formatDollars(order.totalAmount)}
            {order.refundedAmount > 0 && (
              <span className="block text-[0.9375rem] font-normal text-muted">
                {order.refundedAmount === order.totalAmount
                  ? 'Refunded'
                  : `${formatDollars(order.refundedAmount)} refunded`}
              </span>
            )}
          </span>
        </span>
        <ChevronRight
          aria-hidden
          className="size-5 shrink-0 text-muted transition-transform group-hover:translate-x-0.5"
        />
      </Link>
    </li>
  );
}

export function OrdersSkeleton() {
  return (
    <section aria-busy className="wrap max-w-4xl py-10 sm:py-16">
      <h1 className="sr-only">Your orders</h1>
      <Skeleton className="h-12 w-60" />
      <Skeleton className="mt-8 h-28 rounded-xl" />
      <Skeleton className="mt-4 h-28 rounded-xl" />
    </section>
  );
}
