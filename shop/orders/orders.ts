import { and, asc, desc, eq, gte, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { OrderEventKind } from '#contract/orders.ts';
import type { Clock, Db } from '../ports.ts';
import { confirmedAccountOf } from '../accounts/confirmed-account.ts';
import { newId } from '../columns.ts';
import { prepared, rowOf } from '../prepared.ts';
import { orderEvents, orders, type Order } from './orders.sql.ts';

export type { Order } from './orders.sql.ts';
export type NewOrder = Omit<Order, 'id' | 'status' | 'createdAt' | 'updatedAt' | keyof typeof unset>;

/** What no order has when it is placed. */
const unset = { refundedCents: 0, notes: '', shippedAt: null, trackingCarrier: null, trackingNumber: null };

/**
 * Write the order of a paid intent, at most one for its checkout, its payment and its intent: whoever comes second gets
 * undefined. A guest's is given to the account of its e-mail, where that is known to be its owner's.
 */
export async function placeOrder(tx: Db, clock: Clock, order: NewOrder): Promise<Order | undefined> {
  const now = clock.now();
  const row = { ...unset, ...order, id: newId(), status: 'pending' as const, createdAt: now, updatedAt: now };
  const event = eventOf(row.id, clock, 'paid', 'Payment received. Waiting for your photos.');
  const [placed] = await writeOrder(tx, { ...row, eventId: event.id, kind: event.kind, words: event.words });
  return placed && { ...row, customerId: placed.customerId };
}

/** Order and event in one statement: every trip to the database is time in which the buyer waits. */
const writeOrder = prepared<Order & { eventId: string; kind: string; words: string }, { customerId: string | null }[]>(
  (db, value) => {
    const customerId = sql`coalesce(${value('customerId')}, ${confirmedAccountOf(value('email'))})`;
    const placed = db.$with('placed').as(
      db
        .insert(orders)
        .values({ ...rowOf(orders), customerId })
        .onConflictDoNothing()
        .returning({ orderId: orders.id, customerId: orders.customerId }),
    );
    const event = {
      id: value('eventId').as('id'),
      orderId: value('id').as('order_id'),
      kind: value('kind').as('kind'),
      words: value('words').as('words'),
      at: value('createdAt', orderEvents.at).as('at'),
    };
    const told = db
      .$with('told')
      .as(db.insert(orderEvents).select(db.select(event).from(placed)).returning({ id: orderEvents.id }));
    return db.with(placed, told).select({ customerId: placed.customerId }).from(placed);
  },
);

export async function recordOrderEvent(tx: Db, clock: Clock, orderId: string, kind: OrderEventKind, words: string) {
  await tx.insert(orderEvents).values(eventOf(orderId, clock, kind, words));
}
const eventOf = (orderId: string, clock: Clock, kind: OrderEventKind, words: string) => ({
  id: newId(),
  orderId,
  kind,
  words,
  at: clock.now(),
});

export async function orderById(db: Db, id: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.id, id));
  return order;
}
export async function orderOfPayment(db: Db, paymentId: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.paymentId, paymentId));
  return order;
}
export async function orderOfCheckout(db: Db, checkoutId: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.checkoutId, checkoutId));
  return order;
}
export async function orderOfIntent(db: Db, intentId: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.stripePaymentIntentId, intentId));
  return order;
}
/** Hold the order's row until the transaction ends. Whoever needs its frames too holds those first. */
export async function holdOrder(tx: Db, id: string): Promise<Order | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for('update');
  return order;
}
/** A customer's orders, newest first. */
export const ordersOf = (db: Db, customerId: string): Promise<Order[]> =>
  db.select().from(orders).where(eq(orders.customerId, customerId)).orderBy(desc(orders.createdAt), desc(orders.id));

/** Only while it is a guest's: an order never changes hands. */
export async function giveGuestOrder(tx: Db, orderId: string, customerId: string): Promise<boolean> {
  const given = await tx
    .update(orders)
    .set({ customerId })
    .where(and(eq(orders.id, orderId), isNull(orders.customerId)))
    .returning({ id: orders.id });
  return given.length > 0;
}
/** Every guest order of a mailbox that is known to be this customer's. */
export const giveGuestOrdersOf = (tx: Db, email: string, customerId: string) =>
  tx
    .update(orders)
    .set({ customerId })
    .where(and(eq(orders.email, email), isNull(orders.customerId)));

/** From waiting for photos to production; what the owner has set is never taken back. */
export async function startProcessing(tx: Db, clock: Clock, orderId: string): Promise<void> {
  await tx
    .update(orders)
    .set({ status: 'processing', updatedAt: clock.now() })
    .where(and(eq(orders.id, orderId), eq(orders.status, 'pending')));
}

type Editable = Pick<Order, 'status' | 'notes' | 'shippedAt' | 'trackingCarrier' | 'trackingNumber'>;
export async function changeOrder(tx: Db, clock: Clock, orderId: string, change: Partial<Editable>): Promise<Order> {
  const [changed] = await tx
    .update(orders)
    .set({ ...change, updatedAt: clock.now() })
    .where(eq(orders.id, orderId))
    .returning();
  return changed!;
}

/** Count this much as given back. False when that would be more than was paid. */
export async function countRefund(tx: Db, clock: Clock, orderId: string, amountCents: number): Promise<boolean> {
  const counted = await tx
    .update(orders)
    .set({ refundedCents: sql`${orders.refundedCents} + ${amountCents}`, updatedAt: clock.now() })
    .where(and(eq(orders.id, orderId), sql`${orders.refundedCents} + ${amountCents} <= ${orders.totalCents}`))
    .returning({ id: orders.id });
  return counted.length > 0;
}
/** What was counted as given back never left. */
export const uncountRefund = (tx: Db, clock: Clock, orderId: string, amountCents: number) =>
  tx
    .update(orders)
    .set({ refundedCents: sql`${orders.refundedCents} - ${amountCents}`, updatedAt: clock.now() })
    .where(eq(orders.id, orderId));

/** Paid orders, newest first; `before` is the last order of the page above. */
export async function listOrders(
  db: Db,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<Order[]> {
  const above = before === undefined ? undefined : await orderById(db, before);
  return db
    .select()
    .from(orders)
    .where(above && sql`(${orders.createdAt}, ${orders.id}) < (${above.createdAt.toISOString()}, ${above.id})`)
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
}

/** Orders placed in a span of time, oldest first; `after` is the last order of the page before. */
export const ordersPlaced = (
  db: Db,
  { from, to, after, limit }: { from: Date; to: Date; after?: Order | undefined; limit: number },
): Promise<Order[]> =>
  db
    .select()
    .from(orders)
    .where(
      and(
        gte(orders.createdAt, from),
        lte(orders.createdAt, to),
        after && sql`(${orders.createdAt}, ${orders.id}) > (${after.createdAt.toISOString()}, ${after.id})`,
      ),
    )
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(limit);

export const ordersByIds = (db: Db, ids: string[]): Promise<Order[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.select().from(orders).where(inArray(orders.id, ids));

export type OrderEvent = typeof orderEvents.$inferSelect;
/** The histories of some orders, oldest first. */
export async function historiesOf(db: Db, orderIds: string[]): Promise<Map<string, OrderEvent[]>> {
  const eventsByOrder = new Map<string, OrderEvent[]>(orderIds.map((id) => [id, []]));
  if (orderIds.length === 0) return eventsByOrder;
  const events = await db
    .select()
    .from(orderEvents)
    .where(inArray(orderEvents.orderId, orderIds))
    .orderBy(asc(orderEvents.at), asc(orderEvents.id));
  for (const event of events) eventsByOrder.get(event.orderId)?.push(event);
  return eventsByOrder;
}

/** What was paid, less what was given back. */
export async function salesFigures(db: Db): Promise<{ totalOrders: number; totalRevenueCents: number }> {
  const [sums] = await db
    .select({
      totalOrders: sql<number>`count(*)`.mapWith(Number),
      totalRevenueCents: sql<number>`coalesce(sum(${orders.totalCents} - ${orders.refundedCents}), 0)`.mapWith(Number),
    })
    .from(orders);
  return sums!;
}
