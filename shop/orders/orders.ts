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
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import type { OrderEventKind } from '#contract/orders.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { prepared, preparedAmong, rowOf } from '../prepared.ts';
import { orderEvents, orders, type Order } from './orders.sql.ts';

export type { Order } from './orders.sql.ts';
export type NewOrder = Omit<Order, 'id' | 'status' | 'createdAt' | 'updatedAt' | keyof typeof unset> & {
  /** The frame it adds room to: such an order is complete as it is placed. */
  frameId?: string;
};

/** What no order has when it is placed, unless it adds to a frame. */
const unset = {
  refundedCents: 0,
  notes: '',
  shippedAt: null,
  trackingCarrier: null,
  trackingNumber: null,
  frameId: null,
  remindersEndedAt: null,
};

/**
 * Writes the order of a paid intent, at most one for its checkout, its payment and its intent: whoever comes second gets
 * undefined. A guest's goes to the account that `accountOf` finds for its e-mail; accounts stand above orders.
 */
export function orderPlacer(accountOf: (email: SQL) => SQL<string | null>) {
  const writeOrder = orderWriter(accountOf);
  return async (tx: Db, clock: Clock, order: NewOrder): Promise<Order | undefined> => {
    const now = clock.now();
    const isAddition = order.frameId !== undefined;
    const status = isAddition ? ('completed' as const) : ('pending' as const);
    const row = { ...unset, ...order, id: newId(), status, createdAt: now, updatedAt: now };
    const next = isAddition ? 'There is room for your photos.' : 'Waiting for your photos.';
    const event = eventOf(row.id, clock, 'paid', `Payment received. ${next}`);
    const [placed] = await writeOrder(tx, { ...row, eventId: event.id, kind: event.kind, words: event.words });
    return placed && { ...row, customerId: placed.customerId };
  };
}

/** Order and event in one statement: every trip to the database is time in which the buyer waits. */
const orderWriter = (accountOf: (email: SQL) => SQL<string | null>) =>
  prepared<Order & { eventId: string; kind: string; words: string }, { customerId: string | null }[]>((db, value) => {
    const customerId = sql`coalesce(${value('customerId')}, ${accountOf(value('email'))})`;
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
  });

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

/** Whether all of its money went back. */
export const isGivenBack = ({ totalCents, refundedCents }: Pick<Order, 'totalCents' | 'refundedCents'>) =>
  totalCents > 0 && refundedCents >= totalCents;

export async function orderById(db: Db, id: string): Promise<Order | undefined> {
  const [order] = await orderOf(db, { id });
  return order;
}
const orderOf = prepared<{ id: string }, Order[]>((db, value) =>
  db
    .select()
    .from(orders)
    .where(eq(orders.id, value('id'))),
);
/** Since when this shop sells. */
export async function firstOrderAt(db: Db): Promise<Date | undefined> {
  const [first] = await db.select({ at: orders.createdAt }).from(orders).orderBy(asc(orders.createdAt)).limit(1);
  return first?.at;
}
/** Whose an order is, inside another query; null while a guest's. */
export const customerOfOrder = (orderId: SQLWrapper): SQL =>
  sql`(select ${orders.customerId} from ${orders} where ${orders.id} = ${orderId})`;
export async function orderOfPayment(db: Db, paymentId: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.paymentId, paymentId));
  return order;
}
export async function orderOfCheckout(db: Db, checkoutId: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.checkoutId, checkoutId));
  return order;
}
/**
 * Hold the order's row until the transaction ends. The one sequence for every transaction: the order, then its frames
 * (`holdFramesOf`), then their photos, videos and refunds; held in two sequences, rows wait for each other in a circle.
 * What only names the order, as a photo or a line of its history does, does not wait for it.
 */
export async function holdOrder(tx: Db, id: string): Promise<Order | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for('no key update');
  return order;
}
/** All of a customer's orders; of several held at once, those that add to a frame come before the frame's own. */
export async function holdOrdersOf(tx: Db, customerId: string): Promise<void> {
  const own = tx.select({ id: orders.id }).from(orders).where(eq(orders.customerId, customerId));
  await own.orderBy(asc(sql`${orders.frameId} is null`), asc(orders.id)).for('no key update');
}
/** An order, whose buyer is neither forgotten nor another until the transaction ends. */
export async function keepBuyerOf(tx: Db, id: string): Promise<Order | undefined> {
  const [order] = await keepBuyersOf(tx, [id]);
  return order;
}
/** Several, in the sequence of `holdOrdersOf`. */
export const keepBuyersOf = (tx: Db, ids: string[]): Promise<Order[]> =>
  tx
    .select()
    .from(orders)
    .where(inArray(orders.id, ids))
    .orderBy(asc(sql`${orders.frameId} is null`), asc(orders.id))
    .for('share');
/** Whose an order is, who stays it until the transaction ends; null a guest's or nobody's. */
export async function holdOrderOf(tx: Db, id: string): Promise<string | null> {
  return (await keepBuyerOf(tx, id))?.customerId ?? null;
}
/** A customer's orders, newest first. */
export const ordersOf = (db: Db, customerId: string): Promise<Order[]> =>
  db.select().from(orders).where(eq(orders.customerId, customerId)).orderBy(desc(orders.createdAt), desc(orders.id));

/** Of several customers, and of the guests of several mailboxes; newest first. */
export async function ordersOfMany(db: Db, customerIds: string[], guestMails: string[]): Promise<Order[]> {
  const some = (wanted: SQL | undefined) =>
    db.select().from(orders).where(wanted).orderBy(desc(orders.createdAt), desc(orders.id));
  const [own, guests] = await Promise.all([
    customerIds.length === 0 ? [] : some(inArray(orders.customerId, customerIds)),
    guestMails.length === 0 ? [] : some(and(isNull(orders.customerId), inArray(orders.email, guestMails))),
  ]);
  return [...own, ...guests];
}

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
export async function giveGuestOrdersOf(tx: Db, email: string, customerId: string): Promise<void> {
  const guests = tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.email, email), isNull(orders.customerId)));
  const held = await guests.orderBy(asc(sql`${orders.frameId} is null`), asc(orders.id)).for('no key update');
  const ids = held.map((it) => it.id);
  await tx.update(orders).set({ customerId }).where(inArray(orders.id, ids));
}

export const noteRemindersEnded = (db: Db, clock: Clock, id: string) =>
  db
    .update(orders)
    .set({ remindersEndedAt: sql`coalesce(${orders.remindersEndedAt}, ${clock.now().toISOString()}::timestamptz)` })
    .where(eq(orders.id, id));

/** Of these mailboxes, those that have asked for no more reminders. */
export const mailboxesLeftAlone = async (db: Db, emails: string[]): Promise<Set<string>> =>
  new Set((await leftAloneAmong(db, emails)).map((it) => it.email));
const leftAloneAmong = preparedAmong(orders.email, (db, isAmong) =>
  db
    .select({ email: orders.email })
    .from(orders)
    .where(and(isAmong, isNotNull(orders.remindersEndedAt))),
);

/** Their orders go where they read their mail now. */
export const moveOrdersTo = (tx: Db, customerId: string, before: string, email: string) =>
  tx
    .update(orders)
    .set({ email })
    .where(and(eq(orders.customerId, customerId), eq(orders.email, before)));

/** The account is gone. */
export const forgetBuyerOf = (tx: Db, customerId: string) =>
  forgetWhoseOrders(tx, eq(orders.customerId, customerId), { firstName: 'Deleted', lastName: 'account' });
/** The years are over for which an order's papers are kept. */
export const forgetBuyerOfOrder = (tx: Db, id: string) =>
  forgetWhoseOrders(tx, eq(orders.id, id), { firstName: 'No longer', lastName: 'kept' });

/** Of these orders the bill stays, and the place that taxed it, but nobody's name. */
const forgetWhoseOrders = (tx: Db, which: SQL, instead: Pick<Order, 'firstName' | 'lastName'>) =>
  tx
    .update(orders)
    .set({
      customerId: null,
      ...instead,
      email: '',
      phone: null,
      gift: null,
      notes: '',
      shippingAddress: sql`${orders.shippingAddress} || '{"line1": "", "line2": ""}'`,
    })
    .where(which);
/** Orders that say who placed them, from before a moment, oldest first; `after` is the last of the page before. */
export const ordersOfSomebody = (
  db: Db,
  { before, after, limit }: { before: Date; after?: Order | undefined; limit: number },
): Promise<Order[]> =>
  db
    .select()
    .from(orders)
    .where(and(sql`${orders.email} <> ''`, lt(orders.createdAt, before), after && placedAfter(after)))
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(limit);

/** From waiting for photos to production, once; what the owner has set is never taken back. */
export async function startProcessing(tx: Db, clock: Clock, orderId: string): Promise<void> {
  const started = await tx
    .update(orders)
    .set({ status: 'processing', updatedAt: clock.now() })
    .where(and(eq(orders.id, orderId), eq(orders.status, 'pending')))
    .returning({ id: orders.id });
  if (started.length > 0)
    await recordOrderEvent(tx, clock, orderId, 'status', 'All photos are in. Your videos are being made.');
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

const placedAfter = ({ createdAt, id }: Order) =>
  sql`(${orders.createdAt}, ${orders.id}) > (${createdAt.toISOString()}, ${id})`;
/** Orders placed in a span of time, oldest first; `after` is the last order of the page before. */
export const ordersPlaced = (
  db: Db,
  { from, to, after, limit }: { from: Date; to: Date; after?: Order | undefined; limit: number },
): Promise<Order[]> =>
  db
    .select()
    .from(orders)
    .where(and(gte(orders.createdAt, from), lte(orders.createdAt, to), after && placedAfter(after)))
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(limit);

export const ordersByIds = preparedAmong(orders.id, (db, isAmong) => db.select().from(orders).where(isAmong));

/** The frames that leave with each of these orders, and the sales tax that was not given back; as SQL counts both for a month. */
export const sentAndTaxed = (
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
/** The histories of some orders, oldest first. */
export async function historiesOf(db: Db, orderIds: string[]): Promise<Map<string, OrderEvent[]>> {
  const eventsByOrder = new Map<string, OrderEvent[]>(orderIds.map((id) => [id, []]));
  for (const event of await eventsAmong(db, orderIds)) eventsByOrder.get(event.orderId)?.push(event);
  return eventsByOrder;
}
const eventsAmong = preparedAmong(orderEvents.orderId, (db, isAmong) =>
  db.select().from(orderEvents).where(isAmong).orderBy(asc(orderEvents.at), asc(orderEvents.id)),
);
