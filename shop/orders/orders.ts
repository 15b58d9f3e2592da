import {
  and,
  asc,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import type { OrderEventKind } from '#contract/orders.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { createQueryByValues } from '../rows-among.ts';
import { orderEvents, orders, type Order } from './orders.sql.ts';

export type { Order } from './orders.sql.ts';
export type NewOrder = Omit<Order, 'id' | 'status' | 'createdAt' | 'updatedAt' | keyof typeof initialFields> & {
  /** The frame in which an add-on's order bought more room. Such an order is complete when it is placed. */
  frameId?: string;
  /** The owner's notes. Empty if omitted. */
  notes?: string;
};

/** The initial values of an order. Only `frameId` has another value in the order of an add-on. */
const initialFields = {
  refundedCents: 0,
  notes: '',
  shippedAt: null,
  trackingCarrier: null,
  trackingNumber: null,
  deliveredAt: null,
  labelCents: null,
  canceledAt: null,
  frameId: null,
  remindersEndedAt: null,
};

/**
 * Returns a function that writes the order of a paid intent, at most one for each checkout, payment and intent. A
 * second call returns undefined. A guest's order goes to the account that `accountOf` finds for its email. `accountOf`
 * is a parameter, because the orders module must not import the accounts module.
 */
export function createOrderPlacer(accountOf: (email: string) => SQL<string | null>) {
  return async (tx: Db, clock: Clock, order: NewOrder): Promise<Order | undefined> => {
    const now = clock.now();
    const isAddonOrder = order.frameId !== undefined;
    const status = isAddonOrder ? ('completed' as const) : ('pending' as const);
    const row = { ...initialFields, ...order, id: newId(), status, createdAt: now, updatedAt: now };
    const nextStepText = isAddonOrder ? 'There is room for your photos.' : 'Waiting for your photos.';
    const event = createEvent(row.id, clock, 'paid', `Payment received. ${nextStepText}`);
    const [placed] = await tx
      .insert(orders)
      .values({ ...row, customerId: row.customerId ?? accountOf(row.email) })
      .onConflictDoNothing()
      .returning({ customerId: orders.customerId });
    if (!placed) return undefined;
    await tx.insert(orderEvents).values(event);
    return { ...row, customerId: placed.customerId };
  };
}

export async function recordOrderEvent(tx: Db, clock: Clock, orderId: string, kind: OrderEventKind, words: string) {
  await tx.insert(orderEvents).values(createEvent(orderId, clock, kind, words));
}
const createEvent = (orderId: string, clock: Clock, kind: OrderEventKind, words: string) => ({
  id: newId(),
  orderId,
  kind,
  words,
  at: clock.now(),
});

/** Whether the whole amount was refunded. */
export const isFullyRefunded = ({ totalCents, refundedCents }: Pick<Order, 'totalCents' | 'refundedCents'>) =>
  totalCents > 0 && refundedCents >= totalCents;

/** Whether an account has any orders. */
export const hasOrders = async (db: Db, customerId: string): Promise<boolean> =>
  (await db.$count(orders, eq(orders.customerId, customerId))) > 0;

export async function findOrderById(db: Db, id: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.id, id));
  return order;
}
/** The time of the shop's first order. */
export async function readFirstOrderTime(db: Db): Promise<Date | undefined> {
  const [first] = await db.select({ at: orders.createdAt }).from(orders).orderBy(asc(orders.createdAt)).limit(1);
  return first?.at;
}
/** The customer of an order, as a subquery; null while the order is a guest's. */
export const customerOfOrder = (orderId: SQLWrapper): SQL =>
  sql`(select ${orders.customerId} from ${orders} where ${orders.id} = ${orderId})`;
export async function findOrderOfPaymentId(db: Db, paymentId: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.paymentId, paymentId));
  return order;
}
export async function findOrderOfCheckout(db: Db, checkoutId: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.checkoutId, checkoutId));
  return order;
}
/** The orders of some checkouts, by checkout. */
export async function readOrdersOfCheckouts(db: Db, checkoutIds: string[]): Promise<Map<string, Order>> {
  const foundOrders =
    checkoutIds.length === 0 ? [] : await db.select().from(orders).where(inArray(orders.checkoutId, checkoutIds));
  return new Map(foundOrders.map((it) => [it.checkoutId, it]));
}
/**
 * Locks the order's row until the transaction ends. Every transaction locks in the same sequence: the order, then its
 * frames (`lockFramesOf`), then their photos, videos and refunds. Two different sequences could deadlock. An insert
 * that only references the order, such as a photo or an event, does not wait for this lock.
 */
export async function lockOrder(tx: Db, id: string): Promise<Order | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for('no key update');
  return order;
}
/**
 * Locks all orders of a customer. Orders of add-ons are locked before orders with frames of their own. All transactions
 * use this sequence, so that they cannot deadlock.
 */
export async function lockOrdersOf(tx: Db, customerId: string): Promise<void> {
  const ownRows = tx.select({ id: orders.id }).from(orders).where(eq(orders.customerId, customerId));
  await ownRows.orderBy(asc(sql`${orders.frameId} is null`), asc(orders.id)).for('no key update');
}
/** Reads an order and locks it for share: its buyer is neither deleted nor changed until the transaction ends. */
export async function lockOrderForShare(tx: Db, id: string): Promise<Order | undefined> {
  const [order] = await lockOrdersForShare(tx, [id]);
  return order;
}
/**
 * Reads several orders and locks them for share, in the sequence of `lockOrdersOf`: their buyers are neither deleted
 * nor changed until the transaction ends.
 */
export const lockOrdersForShare = (tx: Db, ids: string[]): Promise<Order[]> =>
  tx
    .select()
    .from(orders)
    .where(inArray(orders.id, ids))
    .orderBy(asc(sql`${orders.frameId} is null`), asc(orders.id))
    .for('share');
/**
 * Locks the buyer of an order and returns the customer's id, so that it cannot change before the transaction ends.
 * Returns null for a guest's order, and for an order whose buyer's data was deleted.
 */
export async function lockCustomerIdOfOrder(tx: Db, id: string): Promise<string | null> {
  return (await lockOrderForShare(tx, id))?.customerId ?? null;
}
/** A customer's orders, newest first. */
export const readOrdersOf = (db: Db, customerId: string): Promise<Order[]> =>
  db.select().from(orders).where(eq(orders.customerId, customerId)).orderBy(desc(orders.createdAt), desc(orders.id));

/** The orders of add-ons for these frames, oldest first, even if the customer was deleted. */
export const addOnOrdersOf = (db: Db, frameIds: string[]): Promise<Order[]> =>
  db.select().from(orders).where(inArray(orders.frameId, frameIds)).orderBy(asc(orders.createdAt), asc(orders.id));

/**
 * The orders of several customers, then the orders of guests with these email addresses. Both parts are sorted newest
 * first.
 */
export async function readOrdersOfManyCustomers(db: Db, customerIds: string[], guestMails: string[]): Promise<Order[]> {
  const readOrdersWhere = (wanted: SQL | undefined) =>
    db.select().from(orders).where(wanted).orderBy(desc(orders.createdAt), desc(orders.id));
  const [own, guests] = await Promise.all([
    customerIds.length === 0 ? [] : readOrdersWhere(inArray(orders.customerId, customerIds)),
    guestMails.length === 0 ? [] : readOrdersWhere(and(isNull(orders.customerId), inArray(orders.email, guestMails))),
  ]);
  return [...own, ...guests];
}

/** Gives a guest's order to a customer. Returns false if the order already belongs to a customer. */
export async function assignGuestOrder(tx: Db, orderId: string, customerId: string): Promise<boolean> {
  const assignedRows = await tx
    .update(orders)
    .set({ customerId })
    .where(and(eq(orders.id, orderId), isNull(orders.customerId)))
    .returning({ id: orders.id });
  return assignedRows.length > 0;
}
/**
 * Gives all guest orders with this email to the customer. The caller has verified that the address is the customer's.
 */
export async function assignGuestOrdersOf(tx: Db, email: string, customerId: string): Promise<void> {
  const guestOrders = tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.email, email), isNull(orders.customerId)));
  const lockedOrders = await guestOrders
    .orderBy(asc(sql`${orders.frameId} is null`), asc(orders.id))
    .for('no key update');
  const ids = lockedOrders.map((it) => it.id);
  await tx.update(orders).set({ customerId }).where(inArray(orders.id, ids));
}

/** The name on the newest guest order with this email. */
export async function readNewestGuestName(
  db: Db,
  email: string,
): Promise<Pick<Order, 'firstName' | 'lastName'> | undefined> {
  const { firstName, lastName } = orders;
  const isNamedGuest = and(eq(orders.email, email), isNull(orders.customerId), ne(firstName, ''));
  const [newest] = await db
    .select({ firstName, lastName })
    .from(orders)
    .where(isNamedGuest)
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(1);
  return newest;
}

/**
 * Splits the orders of an account that is deleted because another account has proven its email address. Orders with the
 * address of `to`, or without an address, go to that account. The others become guest orders again and are returned.
 * The order of an add-on goes with the order of its frame.
 */
export async function reassignOrdersOf(tx: Db, from: string, to: { id: string; email: string }): Promise<Order[]> {
  const emailOfFrame = sql`(select own.email from frames join orders own on own.id = frames.order_id where frames.id = orders.frame_id)`;
  const belongsToEmail = sql`coalesce(nullif(coalesce(${emailOfFrame}, orders.email), ''), ${to.email}) = ${to.email}`;
  const splitRows = await tx
    .update(orders)
    .set({ customerId: sql`case when ${belongsToEmail} then ${to.id} end` })
    .where(eq(orders.customerId, from))
    .returning();
  return splitRows.filter((it) => it.customerId === null);
}

export const recordRemindersEnded = (db: Db, clock: Clock, id: string) =>
  db
    .update(orders)
    .set({ remindersEndedAt: sql`coalesce(${orders.remindersEndedAt}, ${clock.now().toISOString()}::timestamptz)` })
    .where(eq(orders.id, id));

/** Returns those of these addresses that have unsubscribed from reminders. */
export const findUnsubscribedAddresses = async (db: Db, emails: string[]): Promise<Set<string>> =>
  new Set((await leftAloneAmong(db, emails)).map((it) => it.email));
const leftAloneAmong = createQueryByValues(orders.email, (db, isAmong) =>
  db
    .select({ email: orders.email })
    .from(orders)
    .where(and(isAmong, isNotNull(orders.remindersEndedAt))),
);

/** Changes the email address of a customer's orders from `before` to `email`. */
export const changeEmailOfOrders = (tx: Db, customerId: string, before: string, email: string) =>
  tx
    .update(orders)
    .set({ email })
    .where(and(eq(orders.customerId, customerId), eq(orders.email, before)));

/** Removes the buyer's data after the account was deleted. */
export const deleteBuyerDataOfCustomer = (tx: Db, customerId: string) =>
  unlinkOrders(tx, eq(orders.customerId, customerId), { firstName: 'Deleted', lastName: 'account' });
/** Removes the buyer's data after the retention period of the order. */
export const deleteBuyerDataOfOrder = (tx: Db, id: string) =>
  unlinkOrders(tx, eq(orders.id, id), { firstName: 'No longer', lastName: 'kept' });

/**
 * Removes the buyer's data from these orders. The amounts stay. The city, state, postal code and country also stay,
 * because they determine the sales tax.
 */
const unlinkOrders = (tx: Db, which: SQL, instead: Pick<Order, 'firstName' | 'lastName'>) =>
  tx
    .update(orders)
    .set({
      customerId: null,
      ...instead,
      email: '',
      phone: null,
      phoneE164: null,
      gift: null,
      notes: '',
      shippingAddress: sql`${orders.shippingAddress} || '{"line1": "", "line2": ""}'`,
    })
    .where(which);
/**
 * Orders that still have a buyer's data and were placed before the given time, oldest first. `after` is the last order
 * of the previous page.
 */
export const findOrdersWithBuyerData = (
  db: Db,
  { before, after, limit }: { before: Date; after?: Order | undefined; limit: number },
): Promise<Order[]> =>
  db
    .select()
    .from(orders)
    .where(and(sql`${orders.email} <> ''`, lt(orders.createdAt, before), after && isPlacedAfter(after)))
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(limit);

/** Whether the order is canceled. Its frames are closed for good. */
export const isCanceled = async (db: Db, orderId: string): Promise<boolean> =>
  (await db.$count(orders, and(eq(orders.id, orderId), isNotNull(orders.canceledAt)))) > 0;

/**
 * Moves a pending order to production and records it in the history. A canceled order, or one with another status, does
 * not change.
 */
export async function startProcessing(tx: Db, clock: Clock, orderId: string): Promise<void> {
  const startedRows = await tx
    .update(orders)
    .set({ status: 'processing', updatedAt: clock.now() })
    .where(and(eq(orders.id, orderId), eq(orders.status, 'pending'), isNull(orders.canceledAt)))
    .returning({ id: orders.id });
  if (startedRows.length > 0)
    await recordOrderEvent(tx, clock, orderId, 'status', 'We have all your photos. We are making your videos.');
}

type EditableOrderFields = Pick<
  Order,
  | 'status'
  | 'notes'
  | 'shippingAddress'
  | 'shippedAt'
  | 'trackingCarrier'
  | 'trackingNumber'
  | 'deliveredAt'
  | 'labelCents'
  | 'canceledAt'
>;
export async function changeOrder(
  tx: Db,
  clock: Clock,
  orderId: string,
  change: Partial<EditableOrderFields>,
): Promise<Order> {
  const [changed] = await tx
    .update(orders)
    .set({ ...change, updatedAt: clock.now() })
    .where(eq(orders.id, orderId))
    .returning();
  return changed!;
}

/** Adds an amount to the order's refunds. Returns false if the sum would exceed the paid amount. */
export async function addRefundedCents(tx: Db, clock: Clock, orderId: string, amountCents: number): Promise<boolean> {
  const countedRows = await tx
    .update(orders)
    .set({ refundedCents: sql`${orders.refundedCents} + ${amountCents}`, updatedAt: clock.now() })
    .where(and(eq(orders.id, orderId), sql`${orders.refundedCents} + ${amountCents} <= ${orders.totalCents}`))
    .returning({ id: orders.id });
  return countedRows.length > 0;
}
/** Subtracts a failed refund from the order's refunds. */
export const subtractRefundedCents = (tx: Db, clock: Clock, orderId: string, amountCents: number) =>
  tx
    .update(orders)
    .set({ refundedCents: sql`${orders.refundedCents} - ${amountCents}`, updatedAt: clock.now() })
    .where(eq(orders.id, orderId));

const isPlacedAfter = ({ createdAt, id }: Order) =>
  sql`(${orders.createdAt}, ${orders.id}) > (${createdAt.toISOString()}, ${id})`;
/** Orders placed in a span of time, oldest first. `after` is the last order of the previous page. */
export const readOrdersPlaced = (
  db: Db,
  { from, to, after, limit }: { from: Date; to: Date; after?: Order | undefined; limit: number },
): Promise<Order[]> =>
  db
    .select()
    .from(orders)
    .where(and(gte(orders.createdAt, from), lte(orders.createdAt, to), after && isPlacedAfter(after)))
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(limit);

/** The orders with these numbers, in no particular sequence. */
export const findOrdersByNumbers = createQueryByValues(orders.orderNumber, (db, isAmong) =>
  db.select().from(orders).where(isAmong),
);
export const ordersOfPayments = createQueryByValues(orders.paymentId, (db, isAmong) =>
  db.select().from(orders).where(isAmong),
);
export const ordersByIds = createQueryByValues(orders.id, (db, isAmong) => db.select().from(orders).where(isAmong));

/**
 * For each of these orders: the number of frames shipped, and the sales tax that was not refunded. The sums by month
 * use the same SQL functions, so that both agree.
 */
export const shippingAndTaxOf = (
  db: Db,
  ids: string[],
): Promise<{ id: string; framesSent: number; keptTaxCents: number }[]> => {
  const { id, productType, quantity, shippedAt, totalCents, refundedCents, taxCents } = orders;
  return db
    .select({
      id,
      framesSent: sql<number>`frames_sent(${productType}, ${quantity}, ${shippedAt}, ${totalCents}, ${refundedCents})`,
      keptTaxCents: sql<number>`kept_tax_cents(${taxCents}, ${totalCents}, ${refundedCents})`,
    })
    .from(orders)
    .where(inArray(id, ids));
};

export type OrderEvent = typeof orderEvents.$inferSelect;
/** Events of an order's history that only the owner sees. Leave them out of all data for customers. */
export const isOwnersEvent = ({ kind }: Pick<OrderEvent, 'kind'>): boolean => ownerOnlyKinds.has(kind);
const ownerOnlyKinds: ReadonlySet<OrderEventKind> = new Set([
  'note',
  'dispute',
  'fraud-warning',
  'stock',
  'label',
  'mail',
  'phone',
]);

/** The histories of some orders, oldest event first. Also contains the events that only the owner sees. */
export async function readHistoriesOf(db: Db, orderIds: string[]): Promise<Map<string, OrderEvent[]>> {
  const eventsByOrder = new Map<string, OrderEvent[]>(orderIds.map((id) => [id, []]));
  for (const event of await readEventsAmong(db, orderIds)) eventsByOrder.get(event.orderId)?.push(event);
  return eventsByOrder;
}
const readEventsAmong = createQueryByValues(orderEvents.orderId, (db, isAmong) =>
  db.select().from(orderEvents).where(isAmong).orderBy(asc(orderEvents.at), asc(orderEvents.id)),
);
