import type { AdminOrder } from '#contract/admin.ts';
import type { OrderStatus } from '#contract/orders.ts';
import type { Sort, SortKey } from '../list-params.ts';

type Listed = Pick<
  AdminOrder,
  | 'orderNumber'
  | 'customerEmail'
  | 'customerFirstName'
  | 'customerLastName'
  | 'stripePaymentIntentId'
  | 'orderStatus'
  | 'totalAmount'
  | 'createdAt'
>;

export const nameOf = ({
  customerFirstName,
  customerLastName,
}: Pick<AdminOrder, 'customerFirstName' | 'customerLastName'>) => `${customerFirstName} ${customerLastName}`.trim();

const progress: Record<OrderStatus, number> = { pending: 0, processing: 1, completed: 2, shipped: 3 };
const compareBy: Record<SortKey, (a: Listed, b: Listed) => number> = {
  date: (a, b) => a.createdAt.localeCompare(b.createdAt),
  customer: (a, b) => nameOf(a).localeCompare(nameOf(b), 'en'),
  total: (a, b) => a.totalAmount - b.totalAmount,
  status: (a, b) => progress[a.orderStatus] - progress[b.orderStatus],
};

/** The orders that match every word searched for and the status, sorted; equals stay newest first. */
export function listOrders<O extends Listed>(
  orders: readonly O[],
  {
    q = '',
    status,
    sort = '-date',
  }: { q?: string | undefined; status?: OrderStatus | undefined; sort?: Sort | undefined },
): O[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const key = sort.replace('-', '') as SortKey;
  const direction = sort.startsWith('-') ? -1 : 1;
  return orders
    .filter((order) => {
      if (status && order.orderStatus !== status) return false;
      const text = [order.orderNumber, nameOf(order), order.customerEmail, order.stripePaymentIntentId]
        .join(' ')
        .toLowerCase();
      return words.every((it) => text.includes(it));
    })
    .toSorted((a, b) => direction * compareBy[key](a, b) || compareBy.date(b, a));
}

/** What a click on a column's heading asks for: that column, and the other way round the second time. */
export const turnedSort = (now: Sort, key: SortKey): Sort => {
  const first: Sort = key === 'date' || key === 'total' ? `-${key}` : key;
  return now === first ? (first.startsWith('-') ? key : `-${key}`) : first;
};

/** The order before or after, for the keyboard; from nowhere, the first. */
export function neighbour(ids: readonly string[], id: string | undefined, by: 1 | -1): string | undefined {
  const place = id === undefined ? -1 : ids.indexOf(id);
  if (place < 0) return ids[0];
  return ids[Math.min(ids.length - 1, Math.max(0, place + by))];
}
