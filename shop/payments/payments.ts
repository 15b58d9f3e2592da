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
  notInArray,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import type { DeliveryTimes } from '#contract/catalog.ts';
import type { PaymentProblem } from '#contract/owner/payments.ts';
import { Refusal, type PlainRefusalName } from '#contract/refusals.ts';
import { PaymentProviderError, type CardPayments } from '../ports/card-payments.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { newId } from '../columns.ts';
import { deleteOldRows, type DeleteOldRows } from '../delete-old-rows.ts';
import { createQueryByValues } from '../rows-among.ts';
import { paymentEvents, payments, type Payment } from './payments.sql.ts';
import type { PaymentPurposes } from './purpose.ts';

export type { Payment } from './payments.sql.ts';
export type NewPayment = Pick<
  Payment,
  'purpose' | 'purposeId' | 'email' | 'amountCents' | 'currency' | 'mode' | 'expiresAt'
>;

/** The dependencies of functions that settle, refund or dispute payments. */
export interface PaymentScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  provider: CardPayments;
  purposes: PaymentPurposes;
  link: (path: string) => string;
  ownerEmail: () => Promise<string>;
  deliveryTimes: () => Promise<DeliveryTimes>;
}

/**
 * Stores a payment with its amount before the request to the provider. The idempotency key contains the payment's id.
 */
export async function freezePayment(tx: Db, clock: Clock, payment: NewPayment): Promise<Payment> {
  const id = newId();
  const now = clock.now();
  const [frozen] = await tx
    .insert(payments)
    .values({
      ...payment,
      id,
      idempotencyKey: `payment-${id}`,
      state: 'asking',
      askedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  return frozen!;
}

/** Stores the provider's response for a payment that `freezePayment` has stored. */
export async function recordPaymentIntent(
  db: Db,
  clock: Clock,
  paymentId: string,
  answer: { intentId: string; account: string | null; providerCustomerId?: string | undefined },
): Promise<void> {
  // If the sweep has closed the payment in the meantime, it stays closed. Its intent is now known, so the payment can
  // still be settled if it is paid later.
  const state = sql`case when ${payments.state} = 'asking' then 'open' else ${payments.state} end`;
  await db
    .update(payments)
    .set({ ...answer, state, updatedAt: clock.now() })
    .where(and(eq(payments.id, paymentId), isNull(payments.intentId)));
}

type State = Payment['state'];
/** States of a payment that buys nothing. */
type ClosedPaymentState = 'cancelled' | 'refunding' | 'refunded' | 'closed';

/** Changes the state of a payment if it is in one of the `from` states. Returns false if it is in none of them. */
export const changePaymentState = (
  tx: Db,
  clock: Clock,
  paymentId: string,
  from: State[],
  to: Exclude<State, 'cancelled' | 'refunding' | 'settled' | 'closed'>,
) => movePayment(tx, clock, paymentId, from, to);

/**
 * Closes a payment that buys nothing, and releases what its purpose has reserved. Returns false if the payment is in
 * none of the `from` states.
 */
export const closePayment = (
  { db, clock, purposes }: Pick<PaymentScope, 'db' | 'clock' | 'purposes'>,
  { id, purpose, purposeId }: Pick<Payment, 'id' | 'purpose' | 'purposeId'>,
  from: State[],
  to: ClosedPaymentState,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const isClosed = await movePayment(tx, clock, id, from, to);
    if (isClosed) await purposes[purpose].release(tx, clock, purposeId);
    return isClosed;
  });

async function movePayment(tx: Db, clock: Clock, paymentId: string, from: State[], to: State): Promise<boolean> {
  const movedRows = await tx
    .update(payments)
    .set({ state: to, updatedAt: clock.now() })
    .where(and(eq(payments.id, paymentId), inArray(payments.state, from)))
    .returning({ id: payments.id });
  return movedRows.length > 0;
}

/** The states from which a paid intent may still be settled or refunded. */
const unsettledStates: State[] = ['asking', 'open', 'cancelled', 'mismatched'];
export const isUnsettled = ({ state }: Pick<Payment, 'state'>) => unsettledStates.includes(state);

/** The conditions for settling an intent: the agreed amount, currency and mode, and a known payer. */
export interface SettleConditions {
  intentId: string;
  amountCents: number;
  currency: string;
  mode: Payment['mode'];
  isPayerKnown: boolean;
}
/**
 * Settles the intent's payment if it exists, meets these conditions and is not settled yet. Of several concurrent
 * calls, only one settles it.
 */
export async function settlePayment(tx: Db, clock: Clock, money: SettleConditions): Promise<Payment | undefined> {
  const [taken] = await tx
    .update(payments)
    .set({ state: 'settled', updatedAt: clock.now() })
    .where(
      and(
        eq(payments.intentId, money.intentId),
        inArray(payments.state, unsettledStates),
        eq(payments.amountCents, money.amountCents),
        eq(payments.currency, money.currency),
        eq(payments.mode, money.mode),
        money.isPayerKnown ? undefined : isNotNull(payments.email),
      ),
    )
    .returning();
  return taken;
}

/**
 * Returns the buyer's customer id at the provider. The id comes from an earlier payment with the same email for one of
 * these carts, add-ons or gift cards.
 */
export async function findProviderCustomer(
  db: Db,
  purpose: Payment['purpose'],
  purposeIds: string[],
  email: string,
): Promise<string | undefined> {
  const [earlier] = await db
    .select({ id: payments.providerCustomerId })
    .from(payments)
    .where(and(isForPurpose(purpose, purposeIds), isNotNull(payments.providerCustomerId), eq(payments.email, email)))
    .limit(1);
  return earlier?.id ?? undefined;
}
const isForPurpose = (purpose: Payment['purpose'], purposeIds: string[]) =>
  and(eq(payments.purpose, purpose), inArray(payments.purposeId, purposeIds));

export async function findPaymentOfIntent(db: Db, intentId: string): Promise<Payment | undefined> {
  const [payment] = await db.select().from(payments).where(eq(payments.intentId, intentId));
  return payment;
}
/**
 * Whether the intent's payment is fulfilled, refunded or closed. The provider's later events then do not settle it
 * again.
 */
export async function isFulfilledOrClosed(db: Db, intentId: string): Promise<boolean> {
  const [payment] = await db.select({ state: payments.state }).from(payments).where(eq(payments.intentId, intentId));
  return payment !== undefined && !isUnsettled(payment);
}
export async function findPaymentById(db: Db, id: string): Promise<Payment | undefined> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id));
  return payment;
}
/** Reads a payment and locks its row until the transaction ends. */
export async function lockPayment(tx: Db, id: string): Promise<Payment | undefined> {
  const [payment] = await tx.select().from(payments).where(eq(payments.id, id)).for('no key update');
  return payment;
}
/** The provider's intent ids, by payment id. */
export async function readIntentsOfPayments(db: Db, ids: string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: payments.id, intentId: payments.intentId })
    .from(payments)
    .where(inArray(payments.id, ids));
  return new Map(rows.map((it) => [it.id, it.intentId]));
}
export const paymentsOfIntents = createQueryByValues(payments.intentId, (db, isAmong) =>
  db.select().from(payments).where(isAmong),
);
export const paymentsByIds = createQueryByValues(payments.id, (db, isAmong) =>
  db.select().from(payments).where(isAmong),
);
/** Payments for these purposes that can still be paid. */
export const findPayablePayments = (db: Db, purpose: Payment['purpose'], purposeIds: string[]): Promise<Payment[]> =>
  db
    .select()
    .from(payments)
    .where(and(isForPurpose(purpose, purposeIds), inArray(payments.state, ['asking', 'open'])));

/**
 * Payments that bought nothing and are not refunded yet, newest first: mismatched payments, and payments that wait for
 * their refund.
 */
export async function readPaymentProblems(db: Db): Promise<(Payment & { state: PaymentProblem })[]> {
  // Query each state separately, because each has its own partial index.
  const readPaymentsInState = async <State extends PaymentProblem>(state: State) => {
    const paymentsInState = db.select().from(payments).where(eq(payments.state, state));
    return (await paymentsInState.orderBy(desc(payments.createdAt)).limit(100)).map((it) => ({ ...it, state }));
  };
  const problems = await Promise.all([readPaymentsInState('mismatched'), readPaymentsInState('refunding')]);
  return problems.flat().toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

/** The number of open payments, and the number of mismatched payments. Each is counted in its own partial index. */
export async function countUnsettled(db: Db): Promise<Record<'open' | 'mismatched', number>> {
  const [open, mismatched] = await Promise.all([
    db.$count(payments, sql`${payments.state} in ('asking', 'open')`),
    db.$count(payments, sql`${payments.state} = 'mismatched'`),
  ]);
  return { open, mismatched };
}

/** Returns true the first time that this event of the provider arrives. */
export async function recordPaymentEventOnce(
  tx: Db,
  clock: Clock,
  event: { id: string; type: string; intentId?: string },
): Promise<boolean> {
  const storedRows = await tx
    .insert(paymentEvents)
    .values({ id: event.id, type: event.type, intentId: event.intentId, receivedAt: clock.now() })
    .onConflictDoNothing()
    .returning({ id: paymentEvents.id });
  return storedRows.length > 0;
}

export const deleteOldPaymentEvents = deleteOldRows(paymentEvents, paymentEvents.id, paymentEvents.receivedAt);

/**
 * Deletes the buyer's data of payments that were never paid, and of payments that bought nothing and were refunded or
 * closed by the owner. If such a payment is paid later, the payer is known from the card.
 */
export const deleteBuyerDataOfUnpaidPayments =
  (purposes: PaymentPurposes): DeleteOldRows =>
  (db, before, limit) =>
    db.transaction(async (tx) => {
      const isWithoutPurchase = sql`${payments.state} in ('cancelled', 'refunded', 'closed') and ${payments.email} is not null`;
      const oldestIds = tx
        .select({ id: payments.id })
        .from(payments)
        .where(and(isWithoutPurchase, lt(payments.createdAt, before)))
        .orderBy(asc(payments.createdAt))
        .limit(limit)
        .for('no key update', { skipLocked: true });
      const erasedPayments = await tx
        .update(payments)
        .set({ email: null })
        .where(sql`${payments.id} = any(array(${oldestIds}))`)
        .returning({ purpose: payments.purpose, purposeId: payments.purposeId });
      for (const [purpose, those] of Map.groupBy(erasedPayments, (it) => it.purpose))
        await purposes[purpose].deleteBuyerDetails(
          tx,
          those.map((it) => it.purposeId),
        );
      return erasedPayments.length;
    });

/**
 * Locks all payments for these purposes until the transaction ends. If one of them is being settled, this waits until
 * it is settled.
 */
export async function lockPaymentsFor(tx: Db, purposeIds: string[]): Promise<void> {
  const isOfPurposes = inArray(payments.purposeId, purposeIds);
  if (purposeIds.length > 0)
    await tx
      .select({ id: payments.id })
      .from(payments)
      .where(isOfPurposes)
      .orderBy(asc(payments.id))
      .for('no key update');
}

export const hasPaymentSince = async (db: Db, purposeIds: string[], since: Date): Promise<boolean> =>
  (await db.$count(payments, and(inArray(payments.purposeId, purposeIds), gte(payments.createdAt, since)))) > 0;

/** The condition that the payment for a cart was settled. */
export const cartPaidCondition = (cartId: SQLWrapper): SQL =>
  sql`exists (select from ${payments} where ${and(eq(payments.purpose, 'order'), eq(payments.purposeId, cartId), eq(payments.state, 'settled'))})`;

/** Removes the buyers' emails from payments for these purposes. A payment that can still be paid keeps its email. */
export async function deletePayerEmails(tx: Db, purposeIds: string[]): Promise<void> {
  const isPaymentOver = notInArray(payments.state, ['asking', 'open']);
  if (purposeIds.length > 0)
    await tx
      .update(payments)
      .set({ email: null })
      .where(and(inArray(payments.purposeId, purposeIds), isPaymentOver));
}

/** The provider's mode. A payment of one mode (sandbox, test, live) is never settled in another. */
export const findPaymentMode = (provider: CardPayments): Payment['mode'] =>
  provider.kind === 'sandbox' ? 'sandbox' : provider.livemode ? 'live' : 'test';

const createErrorMapper =
  (name: PlainRefusalName) =>
  (cause: unknown): never => {
    throw cause instanceof PaymentProviderError ? Object.assign(new Refusal(name), { cause }) : cause;
  };
/** Converts an error of the provider into the refusal for a buyer who has not paid yet. */
export const asPaymentUnavailable = createErrorMapper('payment-provider-unavailable');
/** Converts an error of the provider into the refusal for a buyer who may already have paid. */
export const asPaymentUnconfirmed = createErrorMapper('payment-unconfirmed');
