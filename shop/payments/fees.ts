import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import { PaymentProviderError, type CardPayments } from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { createQueryByValues } from '../rows-among.ts';
import { findPaymentMode, type Payment } from './payments.ts';
import { payments } from './payments.sql.ts';

interface Scope {
  db: Db;
  clock: Clock;
  provider: CardPayments;
}

/** How long to wait after the provider could not report a fee. */
const retryAfterMs = 3_600_000;
const maxPerRun = 100;
/** Parallel requests. Their number is limited because the provider has a rate limit. */
const concurrentReads = 4;

/**
 * Reads the provider's fees of settled payments. Payments whose fee was never requested come first, newest first.
 * Returns the number of fees that were read. If the provider is unavailable, the next run reads the remaining fees.
 */
export async function readFees(
  scope: Scope,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): Promise<number> {
  const paymentsWithoutFee = await findPaymentsWithoutFee(scope);
  let count = 0;
  let isAway = false;
  const readNextFees = async () => {
    for (let payment; !signal.aborted && !isAway && (payment = paymentsWithoutFee.shift());)
      try {
        if (await readFee(scope, payment)) count += 1;
      } catch (error) {
        isAway ||= error instanceof PaymentProviderError && error.reason === 'unavailable';
        onError(error);
      }
  };
  await Promise.all(Array.from({ length: concurrentReads }, readNextFees));
  await postponeFees(scope.db, paymentsWithoutFee);
  return count;
}

/**
 * Selects payments whose fee is unknown. Sets their `feeAskedAt` before any request to the provider, so that two
 * processes select different payments.
 */
async function findPaymentsWithoutFee({ db, clock, provider }: Scope): Promise<Payment[]> {
  const account = await provider.readAccountId();
  const now = clock.now();
  const paymentsQuery = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.state, 'settled'),
        isNull(payments.feeCents),
        eq(payments.mode, findPaymentMode(provider)),
        account === null ? undefined : or(eq(payments.account, account), isNull(payments.account)),
        or(isNull(payments.feeAskedAt), lte(payments.feeAskedAt, new Date(now.getTime() - retryAfterMs))),
      ),
    )
    .orderBy(sql`${asc(payments.feeAskedAt)} nulls first`, sql`${payments.createdAt} desc nulls last`)
    .limit(maxPerRun)
    .for('no key update', { skipLocked: true });
  const claimedPayments = await db
    .update(payments)
    .set({ feeAskedAt: now })
    .where(sql`${payments.id} = any(array(${paymentsQuery}))`)
    .returning();
  return claimedPayments.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

/**
 * Resets `feeAskedAt` of payments whose fee was not requested, so that the next run selects them. Skips a payment that
 * another transaction has locked. The fee of a skipped payment is requested after the waiting time.
 */
async function postponeFees(db: Db, unprocessed: Payment[]): Promise<void> {
  const ids = unprocessed.map((it) => it.id);
  const freePayments = db
    .select({ id: payments.id })
    .from(payments)
    .where(sql`${payments.id} = any(${sql.param(ids)}::text[])`)
    .for('no key update', { skipLocked: true });
  await db
    .update(payments)
    .set({ feeAskedAt: null })
    .where(sql`${payments.id} = any(array(${freePayments}))`);
}

async function readFee({ db, provider }: Scope, { id, intentId }: Payment): Promise<boolean> {
  const feeCents = intentId === null ? undefined : await provider.readFeeCents(intentId);
  if (feeCents === undefined) return false;
  await db.update(payments).set({ feeCents }).where(eq(payments.id, id));
  return true;
}

/** Known fees in cents, by payment. */
export async function readFeesOf(db: Db, paymentIds: string[]): Promise<Map<string, number>> {
  const rows = await readFeesAmong(db, paymentIds);
  return new Map(rows.flatMap(({ id, feeCents }) => (feeCents === null ? [] : [[id, feeCents]])));
}
const readFeesAmong = createQueryByValues(payments.id, (db, isAmong) =>
  db.select({ id: payments.id, feeCents: payments.feeCents }).from(payments).where(isAmong),
);
