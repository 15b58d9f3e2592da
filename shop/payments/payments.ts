import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { PaymentProviderError, type CardPayments, type Clock, type Db, type Jobs } from '../ports.ts';
import { newId } from '../columns.ts';
import { prepared } from '../prepared.ts';
import { hashOf, newToken } from '../accounts/tokens.ts';
import { checkouts, paymentEvents, payments, type Payment } from './payments.sql.ts';
import { giveBackUse } from './promotion-uses.ts';

export type { Payment } from './payments.sql.ts';
export type NewPayment = Omit<
  typeof payments.$inferInsert,
  'id' | 'intentId' | 'idempotencyKey' | 'state' | 'createdAt' | 'updatedAt'
>;

/** What the verbs of paid money work with: settling, refunds, disputes. */
export interface PaymentScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  provider: CardPayments;
  link: (path: string) => string;
  ownerEmail: () => Promise<string>;
}

/** The checkout this browser's cookie stands for, for as long as the cookie is meant to last. */
export async function checkoutOf(
  { db, clock }: { db: Db; clock: Clock },
  token: string | undefined,
): Promise<string | undefined> {
  if (token === undefined) return undefined;
  const begun = new Date(clock.now().getTime() - lifetimes.checkoutCookieHours * 3_600_000);
  const [checkout] = await db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(and(eq(checkouts.tokenHash, hashOf(token)), gt(checkouts.createdAt, begun)));
  return checkout?.id;
}
export async function beginCheckout(tx: Db, clock: Clock): Promise<{ id: string; token: string }> {
  const checkout = { id: newId(), token: newToken() };
  await tx.insert(checkouts).values({ id: checkout.id, tokenHash: hashOf(checkout.token), createdAt: clock.now() });
  return checkout;
}

/** Freeze a priced cart before the provider is asked; its id is the idempotency key. */
export async function freezePayment(tx: Db, clock: Clock, payment: NewPayment): Promise<Payment> {
  const id = newId();
  const now = clock.now();
  const [frozen] = await tx
    .insert(payments)
    .values({ ...payment, id, idempotencyKey: `payment-${id}`, state: 'asking', createdAt: now, updatedAt: now })
    .returning();
  return frozen!;
}

/** The provider's answer to a frozen payment. */
export async function openPayment(
  db: Db,
  clock: Clock,
  paymentId: string,
  { intentId, providerCustomerId }: { intentId: string; providerCustomerId?: string | undefined },
): Promise<void> {
  // Closed meanwhile by the sweep, it stays closed, but its intent is known: a paid one still becomes an order.
  const state = sql`case when ${payments.state} = 'asking' then 'open' else ${payments.state} end`;
  await db
    .update(payments)
    .set({ intentId, providerCustomerId, state, updatedAt: clock.now() })
    .where(and(eq(payments.id, paymentId), isNull(payments.intentId)));
}

type State = Payment['state'];
/** States of a payment that makes no order. */
type Closed = 'cancelled' | 'refunding';

/** Move a payment on from one of these states; false when it was in none of them. */
export const movePayment = (tx: Db, clock: Clock, paymentId: string, from: State[], to: Exclude<State, Closed>) =>
  move(tx, clock, paymentId, from, to);

/** Close a payment that makes no order: it lets go of its promotion. False when it was in none of these states. */
export const closePayment = (db: Db, clock: Clock, paymentId: string, from: State[], to: Closed): Promise<boolean> =>
  db.transaction(async (tx) => {
    const isClosed = await move(tx, clock, paymentId, from, to);
    if (isClosed) await giveBackUse(tx, paymentId);
    return isClosed;
  });

async function move(tx: Db, clock: Clock, paymentId: string, from: State[], to: State): Promise<boolean> {
  const moved = await moveOne(tx, { id: paymentId, from, to, at: clock.now() });
  return moved.length > 0;
}
const moveOne = prepared<{ id: string; from: State[]; to: State; at: Date }, { id: string }[]>((db, value) =>
  db
    .update(payments)
    .set({ state: value('to'), updatedAt: value('at', payments.updatedAt) })
    .where(and(eq(payments.id, value('id')), sql`${payments.state} = any(${value('from')})`))
    .returning({ id: payments.id }),
);

/** Who this buyer already is at the provider, by an earlier payment of the same checkout. */
export async function providerCustomerOf(db: Db, checkoutId: string, email: string): Promise<string | undefined> {
  const [earlier] = await db
    .select({ id: payments.providerCustomerId })
    .from(payments)
    .where(
      and(
        eq(payments.checkoutId, checkoutId),
        isNotNull(payments.providerCustomerId),
        sql`${payments.details} ->> 'email' = ${email}`,
      ),
    )
    .limit(1);
  return earlier?.id ?? undefined;
}
export async function paymentOfIntent(db: Db, intentId: string): Promise<Payment | undefined> {
  const [payment] = await findByIntent(db, { intentId });
  return payment;
}
const findByIntent = prepared<{ intentId: string }, Payment[]>((db, value) =>
  db
    .select()
    .from(payments)
    .where(eq(payments.intentId, value('intentId'))),
);
export async function paymentById(db: Db, id: string): Promise<Payment | undefined> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id));
  return payment;
}
/** Other intents of a checkout that could still be paid. */
export const openSiblings = (db: Db, checkoutId: string, exceptId: string): Promise<Payment[]> =>
  db
    .select()
    .from(payments)
    .where(
      and(eq(payments.checkoutId, checkoutId), ne(payments.id, exceptId), inArray(payments.state, ['asking', 'open'])),
    );

/** Payments nobody has heard the end of, oldest first; `after` is the last one of the page before. */
export const unsettledPayments = (
  db: Db,
  { before, after, limit }: { before: Date; after: Payment | undefined; limit: number },
): Promise<Payment[]> =>
  db
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.state, ['asking', 'open']),
        lt(payments.createdAt, before),
        after && sql`(${payments.createdAt}, ${payments.id}) > (${after.createdAt.toISOString()}, ${after.id})`,
      ),
    )
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(limit);

/** Payments that are not what their cart cost and have not been given back, newest first. */
export const mismatchedPayments = (db: Db): Promise<Payment[]> =>
  db.select().from(payments).where(eq(payments.state, 'mismatched')).orderBy(desc(payments.createdAt)).limit(100);

/** Payments to be given back since before then. */
export const staleRefunds = (db: Db, before: Date): Promise<Payment[]> =>
  db
    .select()
    .from(payments)
    .where(and(eq(payments.state, 'refunding'), lt(payments.updatedAt, before)));

/** True the first time this event of the provider is seen. */
export async function isNewEvent(
  tx: Db,
  clock: Clock,
  event: { id: string; type: string; intentId?: string },
): Promise<boolean> {
  const stored = await tx
    .insert(paymentEvents)
    .values({ id: event.id, type: event.type, intentId: event.intentId, receivedAt: clock.now() })
    .onConflictDoNothing()
    .returning({ id: paymentEvents.id });
  return stored.length > 0;
}

/** Which money this provider moves: sandbox, test and live never mix. */
export const modeOf = (provider: CardPayments): Payment['livemode'] =>
  provider.kind === 'sandbox' ? 'sandbox' : provider.livemode ? 'live' : 'test';

/** The provider's outage, as the buyer is told of it. */
export function inWords(cause: unknown): never {
  throw cause instanceof PaymentProviderError
    ? Object.assign(new Refusal('payment-provider-unavailable'), { cause })
    : cause;
}
