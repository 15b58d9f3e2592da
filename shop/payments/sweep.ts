import { and, asc, eq, gt, inArray, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { sweepAutomaticRefunds } from './automatic-refunds.ts';
import { closePayment, findPaymentMode, type Payment, type PaymentScope } from './payments.ts';
import { payments } from './payments.sql.ts';
import { settleIntent } from './settle.ts';

export interface PaymentSweepOptions {
  /** Aborted when this worker no longer owns the job. */
  signal: AbortSignal;
  onError: (error: unknown) => void;
}

/**
 * A payment that still has no intent after this time is closed. No browser can pay it, because none has its client
 * secret.
 */
const unansweredAfterMs = 10 * 60_000;
/**
 * A payment is young for this long, because the buyer may still be filling in the card form. A young payment is checked
 * in every run, an older one once an hour until it expires.
 */
const youngMs = 3_600_000;
const retryAfterMs = { young: 60_000, old: 3_600_000 };
type Lane = keyof typeof retryAfterMs;

/** Parallel requests. Their number is limited because the provider has a rate limit. */
const concurrency = 5;
const pageSize = 50;
/**
 * How long a run checks the payments of one lane (young or old). The next run continues with the remaining payments.
 */
const laneMs = 60_000;

/**
 * Runs every few minutes. Settles payments that neither the browser nor a webhook reported, and closes abandoned ones.
 * Recent payments come first, so that many abandoned ones do not delay them.
 */
export async function settleOpenPayments(scope: PaymentScope, sweep: PaymentSweepOptions): Promise<void> {
  await sweepLane(scope, sweep, 'young');
  await sweepLane(scope, sweep, 'old');
  if (!sweep.signal.aborted) await sweepAutomaticRefunds(scope, sweep.onError);
}

async function sweepLane(scope: PaymentScope, { signal, onError }: PaymentSweepOptions, lane: Lane): Promise<void> {
  const account = await scope.provider.readAccountId();
  const end = scope.clock.now().getTime() + laneMs;
  while (!signal.aborted && scope.clock.now().getTime() < end) {
    const page = await readNextPage(scope, lane, account);
    if (page.length === 0) return;
    const waitingPayments = page.values();
    const settleNextPayments = async () => {
      for (const payment of waitingPayments) {
        if (signal.aborted) return;
        await settleOpen(scope, payment).catch(onError); // an error of one payment does not stop the others
      }
    };
    await Promise.all(Array.from({ length: concurrency }, settleNextPayments));
  }
}

/**
 * Selects the payments of a lane that were checked longest ago. Sets their `askedAt` before they are checked, so that
 * the next run continues with other payments wherever this run stops.
 */
async function readNextPage(
  { db, clock, provider }: PaymentScope,
  lane: Lane,
  account: string | null,
): Promise<Payment[]> {
  const now = clock.now();
  const computeTimeMsAgo = (ms: number) => new Date(now.getTime() - ms);
  const dueConditions: Record<Lane, SQL | undefined> = {
    young: gt(payments.createdAt, computeTimeMsAgo(youngMs)),
    old: and(
      lte(payments.createdAt, computeTimeMsAgo(youngMs)),
      or(lte(payments.askedAt, computeTimeMsAgo(retryAfterMs.old)), lte(payments.expiresAt, now)),
    ),
  };
  const page = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        inArray(payments.state, ['asking', 'open']),
        eq(payments.mode, findPaymentMode(provider)),
        // If the account of the payment or of the provider is unknown, read the intent anyway: the provider reports
        // whether it exists.
        account === null ? undefined : or(eq(payments.account, account), isNull(payments.account)),
        lte(payments.askedAt, computeTimeMsAgo(retryAfterMs.young)),
        dueConditions[lane],
      ),
    )
    .orderBy(asc(payments.askedAt), asc(payments.id))
    .limit(pageSize)
    .for('no key update', { skipLocked: true });
  return db
    .update(payments)
    .set({ askedAt: now })
    .where(sql`${payments.id} = any(array(${page}))`)
    .returning();
}

async function settleOpen(scope: PaymentScope, payment: Payment): Promise<void> {
  const { clock, provider } = scope;
  const now = clock.now().getTime();
  if (payment.intentId === null) {
    // A $0 payment never has an intent. A browser can pay it until it expires.
    const end =
      payment.amountCents === 0 ? payment.expiresAt.getTime() : payment.createdAt.getTime() + unansweredAfterMs;
    if (now > end) await closePayment(scope, payment, ['asking'], 'cancelled');
    return;
  }
  const intent = await provider.getIntent(payment.intentId);
  if (!intent) {
    // No one can pay this intent anymore. If the provider finds the intent again later, the payment is still settled.
    await closePayment(scope, payment, ['asking', 'open'], 'cancelled');
    return;
  }
  const settlement = await settleIntent(scope, intent);
  if (settlement.state !== 'unpaid' || now <= payment.expiresAt.getTime()) return;
  const cancelled = await provider.cancelIntent(payment.intentId);
  if (cancelled.status === 'canceled') await closePayment(scope, payment, ['open'], 'cancelled');
}
