import { useQuery, useQueryClient } from '@tanstack/react-query';
import { PackageOpen, Plus, Truck } from 'lucide-react';
import { lazy, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { shortDayText } from '#contract/calendar.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { formatDollars } from '#contract/catalog.ts';
import { query } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';
import { LazyBoundary, MissingPart } from '../../ui/lazy-boundary.tsx';
import { focusIfFocusLost } from '../../ui/lost-focus.ts';
import { Skeleton } from '../../ui/surfaces.tsx';
import { GiftBadge } from '../gift-badge.tsx';
import { List } from '../list/list.tsx';
import { listQueryOf, createDownloadUrls, listPageOptions } from '../list/list-query.ts';
import { findNeighbor, filterShownColumns } from '../list/list-rules.ts';
import { type Column, ListTable, readRowTitle, scrollToRow, TableSkeleton } from '../list/list-table.tsx';
import { useSelection } from '../list/selection.tsx';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { type AdminSearch, type OnSearch, statuses, statusLabels } from '../search.ts';
import { uncachedQueryOptions, useMayUseArea, useSessionEndOn } from '../session.ts';
import { useShortcuts } from '../shortcuts.ts';
import { StatusBadge } from '../status-badge.tsx';
import { MoneyBadges } from './disputes.tsx';
import { customerNameText } from './name-of.ts';
import { PaymentProblems } from './payment-problems.tsx';
import { ShipManyDialog } from './ship-many.tsx';
import { SetStatus } from './set-status.tsx';

const loadPanel = () => import('./order-panel.tsx');
const OrderPanel = lazy(() => loadPanel().then((it) => ({ default: it.OrderPanel })));
const NewOrder = lazy(() => import('./phone/new-order.tsx'));
const PhoneOrders = lazy(() => import('./phone/phone-orders.tsx'));
/** Preloads the code of the order panel. Ignores an error, because opening an order reports it. */
const preloadPanel = () => void loadPanel().catch(() => {});

const statusOptions = [
  ...statuses.map((value) => ({ value, label: statusLabels[value] })),
  { value: 'canceled', label: 'Canceled' },
  { value: 'to-ship', label: 'Ready to ship' },
  { value: 'gifts', label: 'Gifts to send' },
  { value: 'returns', label: 'Returns to handle' },
];
const sorts = [
  { value: '-date', label: 'Newest first' },
  { value: 'date', label: 'Oldest first' },
  { value: 'customer', label: 'Customer' },
  { value: '-total', label: 'Highest total' },
  { value: 'status', label: 'Status' },
] as const;

/** The refetch interval while a refund waits for the provider's response. */
const pollMs = 5000;
const isRefunding = ({ refunds }: AdminOrder) => refunds.some((it) => it.state === 'asking');

/** Orders & Uploads: the list, and the selected order next to it. */
export function OrdersTab({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const page = useQuery({
    ...query('/api/admin/lists/orders', { query: listQueryOf(search) }),
    ...listPageOptions,
    refetchInterval: ({ state }) => (state.data?.rows.some(isRefunding) ? pollMs : false),
  });
  const mayUseArea = useMayUseArea();
  const ids = page.data?.rows.map((it) => it.id) ?? [];
  const selection = useSelection(ids);
  const { sort = sorts[0].value, order: chosenId } = search;
  const chosenOrder = useChosenOrder(chosenId, page.data?.rows);
  const openOrder = (id: string) => onSearch({ order: id });
  const close = () => onSearch({ order: undefined });
  const openNeighborOrder = (by: 1 | -1) => {
    const nextId = findNeighbor(ids, chosenId, by);
    if (nextId === undefined) return;
    openOrder(nextId);
    scrollToRow(nextId);
  };
  /** The orders with which the dialog to ship packages begins. Undefined while it is closed. */
  const [shipping, setShipping] = useState<readonly AdminOrder[]>();
  const [isNew, setNew] = useState(false);
  const isOpen = chosenId !== undefined;
  useEffect(() => {
    if (isOpen) preloadPanel(); // load the code in parallel with the order
  }, [isOpen]);
  const lastId = useRef(chosenId);
  useLayoutEffect(() => {
    if (!isOpen && lastId.current !== undefined) focusIfFocusLost(readRowTitle(lastId.current));
    lastId.current = chosenId;
  }, [isOpen, chosenId]);
  const columns = createColumns({ isNarrow: isOpen });
  useShortcuts({ j: () => openNeighborOrder(1), k: () => openNeighborOrder(-1), Escape: isOpen ? close : undefined });
  return (
    <div
      className={joinClassNames(
        'items-start gap-6',
        isOpen && 'xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(28rem,34rem)]',
      )}
    >
      <div className={joinClassNames(isOpen && 'max-xl:hidden')} onPointerEnter={preloadPanel} onFocus={preloadPanel}>
        {mayUseArea('money') && <PaymentProblems />}
        {mayUseArea('orders') && (
          <LazyBoundary instead={null}>
            <PhoneOrders onOpenOrder={openOrder} />
          </LazyBoundary>
        )}
        <List
          nouns={['order', 'orders']}
          page={page}
          search={search}
          onSearch={onSearch}
          searchLabel="Search number, customer, email or payment"
          filter={{ label: 'Status', all: 'All statuses', options: statusOptions }}
          sorts={sorts}
          columns={columns}
          downloads={mayUseArea('money') ? createDownloadUrls('orders', search) : undefined}
          tools={
            <>
              {mayUseArea('fulfillment') && (
                <Button look="secondary" className="max-sm:col-span-2" onClick={() => setShipping([])}>
                  <Truck aria-hidden className="size-4.5" />
                  Ship packages...
                </Button>
              )}
              {mayUseArea('orders') && (
                <Button look="secondary" className="max-sm:col-span-2" onClick={() => setNew(true)}>
                  <Plus aria-hidden className="size-4.5" />
                  New order...
                </Button>
              )}
            </>
          }
          empty={{
            icon: PackageOpen,
            title: 'No orders yet',
            words: 'Orders show up here as soon as they’re paid.',
          }}
          skeleton={<TableSkeleton />}
        >
          {(rows) => (
            <>
              <ListTable
                rows={rows}
                title={{ heading: 'Order', of: (order) => order.orderNumber }}
                columns={filterShownColumns(columns, search.columns)}
                sort={sort}
                onSort={(next) => onSearch({ sort: next, after: undefined })}
                chosenId={chosenId}
                onOpen={openOrder}
                selection={selection}
              />
              <SetStatus
                selection={selection}
                orders={rows.filter((it) => selection.has(it.id))}
                onShip={mayUseArea('fulfillment') ? setShipping : undefined}
              />
            </>
          )}
        </List>
      </div>
      {isNew && (
        <LazyBoundary instead={<MissingPart />}>
          <NewOrder onClose={() => setNew(false)} />
        </LazyBoundary>
      )}
      {shipping && <ShipManyDialog orders={shipping} onClose={() => setShipping(undefined)} />}
      {isOpen && <SelectedOrderPanel {...chosenOrder} onClose={close} />}
    </div>
  );
}

/** The order whose id is in the address. It may be on another page of the list. */
function useChosenOrder(id: string | undefined, rows: readonly AdminOrder[] | undefined) {
  const queryClient = useQueryClient();
  const listedOrder = rows?.find((it) => it.id === id);
  const orderQuery = query('/api/admin/orders/:id', { params: { id: id ?? '' } });
  useEffect(() => {
    // Cache the order for the case that it leaves the list. The panel then stays open and keeps the text typed there.
    if (listedOrder) queryClient.setQueryData(orderQuery.queryKey, listedOrder);
    // oxlint-disable-next-line react/exhaustive-deps -- the key depends only on the order
  }, [queryClient, listedOrder]);
  const { data, error, refetch } = useQuery({
    ...orderQuery,
    ...uncachedQueryOptions,
    enabled: id !== undefined && rows !== undefined && !listedOrder,
    refetchInterval: ({ state }) => (state.data && isRefunding(state.data) ? pollMs : false),
  });
  useSessionEndOn(error);
  return { order: listedOrder ?? data, error, onRetry: refetch };
}

function SelectedOrderPanel(props: {
  order: AdminOrder | undefined;
  error: unknown;
  onRetry: () => unknown;
  onClose: () => void;
}) {
  const { order, error, onRetry, onClose } = props;
  const loadingPanel = <Skeleton className="h-96 rounded-lg" />;
  if (order)
    return (
      <LazyBoundary waiting={loadingPanel} instead={<MissingPart inPlace />}>
        <OrderPanel key={order.id} order={order} onClose={onClose} />
      </LazyBoundary>
    );
  if (!error) return loadingPanel;
  return (
    <LoadErrorNotice
      title="We couldn’t load that order"
      notFoundTitle="We couldn’t find this order"
      error={error}
      onRetry={onRetry}
      onClose={onClose}
    />
  );
}

/** The columns of the list. `isNarrow`: an open panel next to the list leaves less space for columns. */
function createColumns({ isNarrow }: { isNarrow: boolean }): Column<AdminOrder>[] {
  const wideOnly = isNarrow ? 'xl:max-2xl:hidden' : undefined;
  return [
    {
      name: 'date',
      heading: 'Date',
      sort: '-date',
      cell: (order) => shortDayText(order.createdAt),
      className: 'whitespace-nowrap',
      spare: wideOnly,
    },
    {
      name: 'customer',
      heading: 'Customer',
      sort: 'customer',
      cell: (order) => (
        <>
          <span className="block truncate">{customerNameText(order)}</span>
          <span className="block truncate text-sm text-muted">{order.customerEmail}</span>
        </>
      ),
      className: 'max-w-64 max-lg:max-w-48',
    },
    {
      name: 'products',
      heading: 'Products',
      cell: (order) => <span className="line-clamp-2">{orderLinesText(order)}</span>,
      className: 'max-w-72',
      spare: joinClassNames('md:max-lg:hidden', wideOnly),
    },
    {
      name: 'ships-to',
      heading: 'Ships to',
      cell: ({ shippingAddress: to }) => (to ? `${to.city}, ${to.state}, ${to.country}` : '–'),
      className: 'min-w-40',
      isExtra: true,
    },
    { name: 'code', heading: 'Promo code', cell: (order) => order.promoCode ?? '–', isExtra: true },
    {
      name: 'refunded',
      heading: 'Refunded',
      cell: (order) => (order.refundedAmount > 0 ? formatDollars(order.refundedAmount) : '–'),
      isNumber: true,
      isExtra: true,
    },
    {
      name: 'total',
      heading: 'Total',
      sort: '-total',
      cell: (order) => formatDollars(order.totalAmount),
      isNumber: true,
    },
    {
      name: 'updated',
      heading: 'Updated',
      cell: (order) => shortDayText(order.updatedAt),
      className: 'whitespace-nowrap',
      isExtra: true,
    },
    {
      name: 'status',
      heading: 'Status',
      sort: 'status',
      cell: (order) => (
        <span className="flex flex-wrap gap-1 md:py-1.5">
          <StatusBadge order={order} />
          <GiftBadge gift={order.gift} isShipped={order.parcel !== null} />
          <MoneyBadges order={order} />
        </span>
      ),
    },
  ];
}

const orderLinesText = ({ lines }: AdminOrder) =>
  lines.map(({ label, quantity }) => (quantity > 1 ? `${label} × ${quantity}` : label)).join(', ');
