import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import { PaymentProviderError, type CardPayments } from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { preparedAmong } from '../prepared.ts';
import { modeOf, type Payment } from './payments.ts';
import { payments } from './payments.sql.ts';

interface Scope {
  db: Db;
  clock: Clock;
  provider: CardPayments;
}

/** A provider that could not say is asked again so much later. */
const againAfterMs = 3_600_000;
const mostAtOnce = 100;
/** Questions under way at once: the provider counts them too. */
const lanes = 4;

/**
 * Ask what the provider kept of settled payments: of those never asked about first, the newest first. Answers how many it
 * told. Where it cannot be asked, all others are left to the next run.
 */
export async function readFees(
  scope: Scope,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): Promise<number> {
  const waiting = await nextUnknown(scope);
  let told = 0;
  let isAway = false;
  const ask = async () => {
    for (let payment; !signal.aborted && !isAway && (payment = waiting.shift());)
      try {
        if (await readFee(scope, payment)) told += 1;
      } catch (error) {
        isAway ||= error instanceof PaymentProviderError && error.reason === 'unavailable';
        onError(error);
      }
  };
  await Promise.all(Array.from({ length: lanes }, ask));
  await putBack(scope.db, waiting);
  return told;
}

/** They count as asked from now on, so that two processes ask about different ones. */
async function nextUnknown({ db, clock, provider }: Scope): Promise<Payment[]> {
  const account = await provider.account();
  const now = clock.now();
  const page = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.state, 'settled'),
        isNull(payments.feeCents),
        eq(payments.mode, modeOf(provider)),
        account === null ? undefined : or(eq(payments.account, account), isNull(payments.account)),
        or(isNull(payments.feeAskedAt), lte(payments.feeAskedAt, new Date(now.getTime() - againAfterMs))),
      ),
    )
    .orderBy(sql`${asc(payments.feeAskedAt)} nulls first`, sql`${payments.createdAt} desc nulls last`)
    .limit(mostAtOnce)
    .for('no key update', { skipLocked: true });
  const claimed = await db
    .update(payments)
    .set({ feeAskedAt: now })
    .where(sql`${payments.id} = any(array(${page}))`)
    .returning();
  return claimed.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

/** One that somebody holds stays as it is, and is asked about later. */
async function putBack(db: Db, unasked: Payment[]): Promise<void> {
  const ids = unasked.map((it) => it.id);
  const free = db
    .select({ id: payments.id })
    .from(payments)
    .where(sql`${payments.id} = any(${sql.param(ids)}::text[])`)
    .for('no key update', { skipLocked: true });
  await db
    .update(payments)
    .set({ feeAskedAt: null })
    .where(sql`${payments.id} = any(array(${free}))`);
}

async function readFee({ db, provider }: Scope, { id, intentId }: Payment): Promise<boolean> {
  const feeCents = intentId === null ? undefined : await provider.feeOf(intentId);
  if (feeCents === undefined) return false;
  await db.update(payments).set({ feeCents }).where(eq(payments.id, id));
  return true;
}

/** Cents by payment, of those that are known. */
export async function feesOf(db: Db, paymentIds: string[]): Promise<Map<string, number>> {
  const rows = await feesAmong(db, paymentIds);
  return new Map(rows.flatMap(({ id, feeCents }) => (feeCents === null ? [] : [[id, feeCents]])));
}
const feesAmong = preparedAmong(payments.id, (db, isAmong) =>
  db.select({ id: payments.id, feeCents: payments.feeCents }).from(payments).where(isAmong),
);
