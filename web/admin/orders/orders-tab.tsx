import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, ChevronRight, PackageOpen, SearchX } from 'lucide-react';
import { useRef } from 'react';
import type { AdminOrder } from '#contract/admin.ts';
import { money } from '#contract/catalog.ts';
import { adminOrdersQuery } from './orders-query.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState, Notice, Skeleton } from '../../ui/surfaces.tsx';
import { Filter, SearchBox } from '../list-tools.tsx';
import { type AdminSearch, type OnSearch, statuses, statusWords } from '../search.ts';
import { NotLoaded } from '../not-loaded.tsx';
import { fresh, useSessionEndOn } from '../session.ts';
import { useShortcuts } from '../shortcuts.ts';
import { StatusBadge } from '../status-badge.tsx';
import { shortDay } from '../words.ts';
import type { Sort, SortKey } from '../list-params.ts';
import { listOrders, nameOf, neighbour, turnedSort } from './order-list.ts';
import { MoneyBadges } from './disputes.tsx';
import { OrderPanel } from './order-panel.tsx';
import { PaymentProblems } from './payment-problems.tsx';

const statusOptions = statuses.map((value) => ({ value, label: statusWords[value] }));

/** While the provider has not answered a refund, it is looked at this often. */
const followMs = 5000;
const isRefunding = ({ refunds }: AdminOrder) => refunds.some((it) => it.state === 'asking');

/** Orders & Uploads: the list, and the chosen order beside it. */
export function OrdersTab({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const { data, error, refetch } = useQuery({
    ...adminOrdersQuery(),
    ...fresh,
    refetchInterval: ({ state }) => (state.data?.some(isRefunding) ? followMs : false),
  });
  useSessionEndOn(error);
  const searchBox = useRef<HTMLInputElement>(null);
  const { q, status, sort = '-date', order: chosenId } = search;
  const listed = listOrders(data ?? [], { q, status, sort });
  const chosen = data?.find((it) => it.id === chosenId);
  const walk = (by: 1 | -1) => {
    const next = neighbour(
      listed.map((it) => it.id),
      chosenId,
      by,
    );
    if (next === undefined) return;
    onSearch({ order: next });
    document.getElementById(`order-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts({
    '/': () => searchBox.current?.focus(),
    j: () => walk(1),
    k: () => walk(-1),
    Escape: chosen && (() => onSearch({ order: undefined })),
  });

  if (error && !data) {
    return <NotLoaded title="We could not load the orders" error={error} onRetry={refetch} />;
  }
  return (
    <div className={classes('items-start gap-6', chosen && 'xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(28rem,34rem)]')}>
      <div className={classes(chosen && 'max-xl:hidden')}>
        <PaymentProblems />
        <div className="flex flex-wrap gap-3">
          <SearchBox
            label="Search number, customer, email or payment"
            value={q}
            onChange={(next) => onSearch({ q: next })}
            inputRef={searchBox}
          />
          <Filter
            label="Status"
            all="All statuses"
            value={status}
            options={statusOptions}
            onChange={(next) => onSearch({ status: next })}
          />
        </div>
        <p role="status" className="mt-3 text-sm text-muted">
          {data ? `${listed.length} of ${data.length} orders` : 'Loading orders...'}
        </p>
        {!data && <TableSkeleton />}
        {data && listed.length > 0 && (
          <OrderTable
            orders={listed}
            sort={sort}
            chosenId={chosenId}
            narrow={chosen !== undefined}
            onSearch={onSearch}
          />
        )}
        {data?.length === 0 && (
          <EmptyState icon={<PackageOpen aria-hidden className="size-7" />} title="No orders yet">
            A paid order appears here the moment its payment has arrived.
          </EmptyState>
        )}
        {data && data.length > 0 && listed.length === 0 && (
          <EmptyState
            icon={<SearchX aria-hidden className="size-7" />}
            title="No order matches"
            action={
              <Button look="secondary" onClick={() => onSearch({ q: undefined, status: undefined })}>
                Show all orders
              </Button>
            }
          >
            Try fewer words, or another status.
          </EmptyState>
        )}
      </div>
      {chosen && <OrderPanel key={chosen.id} order={chosen} onClose={() => onSearch({ order: undefined })} />}
      {data && chosenId !== undefined && !chosen && (
        <Notice tone="warn" title="That order is not in the list" className="mt-4">
          It may be older than the newest {data.length} orders shown here.
        </Notice>
      )}
    </div>
  );
}

interface TableProps {
  orders: AdminOrder[];
  sort: Sort;
  chosenId: string | undefined;
  /** The panel is open: less room for columns. */
  narrow: boolean;
  onSearch: OnSearch;
}

function OrderTable({ orders, sort, chosenId, narrow, onSearch }: TableProps) {
  const wideOnly = classes('max-md:hidden', narrow && 'xl:max-2xl:hidden');
  const heading = (key: SortKey, words: string, className?: string) => (
    <SortHeading
      sort={sort}
      sortKey={key}
      words={words}
      className={className}
      onSort={(next) => onSearch({ sort: next })}
    />
  );
  return (
    <div className="mt-3 overflow-hidden rounded-lg border border-hair bg-card">
      <table className="w-full border-collapse text-[0.9375rem]">
        <thead className="bg-linen text-left text-sm text-muted">
          <tr>
            <th scope="col" className="px-3 font-semibold sm:px-4">
              Order
            </th>
            {heading('date', 'Date', wideOnly)}
            {heading('customer', 'Customer', 'max-md:hidden')}
            <th scope="col" className={classes('px-3 font-semibold max-lg:hidden', wideOnly)}>
              Products
            </th>
            {heading('total', 'Total', 'text-right')}
            {heading('status', 'Status')}
            <th scope="col" className="w-8 max-sm:hidden">
              <span className="sr-only">Open</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-hair">
          {orders.map((order) => (
            // The number is the button; the row is a larger target for the mouse.
            <tr
              key={order.id}
              id={`order-${order.id}`}
              onClick={() => onSearch({ order: order.id })}
              className={classes(
                'cursor-pointer align-middle transition-colors',
                order.id === chosenId ? 'bg-accent-soft/60' : 'hover:bg-linen/60',
              )}
            >
              <td className="px-3 py-1.5 sm:px-4">
                <button
                  type="button"
                  {...(order.id === chosenId && { 'aria-current': 'true' as const })}
                  onClick={(event) => {
                    event.stopPropagation();
                    onSearch({ order: order.id });
                  }}
                  className="min-h-11 text-left font-semibold whitespace-nowrap text-accent-deep hover:underline"
                >
                  {order.orderNumber}
                </button>
                <span className="block pb-1.5 text-sm text-muted md:hidden">
                  {nameOf(order)}
                  <br />
                  {shortDay(order.createdAt)}
                </span>
              </td>
              <td className={classes('px-3 whitespace-nowrap', wideOnly)}>{shortDay(order.createdAt)}</td>
              <td className="max-w-64 px-3 max-lg:max-w-48 max-md:hidden">
                <span className="block truncate">{nameOf(order)}</span>
                <span className="block truncate text-sm text-muted">{order.customerEmail}</span>
              </td>
              <td className={classes('max-w-72 px-3 max-lg:hidden', wideOnly)}>
                <span className="line-clamp-2">{productsOf(order)}</span>
              </td>
              <td className="px-3 text-right tabular-nums">{money(order.totalAmount)}</td>
              <td className="px-3">
                <span className="flex flex-wrap gap-1 py-1.5">
                  <StatusBadge status={order.orderStatus} />
                  <MoneyBadges order={order} />
                </span>
              </td>
              <td className="pr-3 max-sm:hidden">
                <ChevronRight aria-hidden className="size-5 text-muted" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const productsOf = ({ lines }: AdminOrder) =>
  lines.map(({ label, quantity }) => (quantity > 1 ? `${label} × ${quantity}` : label)).join(', ');

function SortHeading(props: {
  sort: Sort;
  sortKey: SortKey;
  words: string;
  className?: string | undefined;
  onSort: (sort: Sort) => void;
}) {
  const { sort, sortKey, words, className, onSort } = props;
  const direction = sort === sortKey ? 'ascending' : sort === `-${sortKey}` ? 'descending' : 'none';
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" aria-sort={direction} className={classes('px-3 font-semibold', className)}>
      <button
        type="button"
        onClick={() => onSort(turnedSort(sort, sortKey))}
        className="inline-flex min-h-11 items-center gap-1 font-semibold hover:text-ink"
      >
        {words}
        <Arrow aria-hidden className={classes('size-4', direction === 'none' && 'invisible')} />
      </button>
    </th>
  );
}

const TableSkeleton = () => (
  <div aria-hidden className="mt-3 space-y-px overflow-hidden rounded-lg border border-hair">
    {[0, 1, 2, 3, 4, 5].map((it) => (
      <Skeleton key={it} className="h-14 rounded-none" />
    ))}
  </div>
);
