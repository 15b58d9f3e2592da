import { and, asc, eq, gt, inArray, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { sweepGivenBack } from './give-back.ts';
import { closePayment, modeOf, type Payment, type PaymentScope } from './payments.ts';
import { payments } from './payments.sql.ts';
import { settleIntent } from './settle.ts';

export interface Sweep {
  /** Aborted when the job is taken away. */
  signal: AbortSignal;
  onError: (error: unknown) => void;
}

/** A payment whose provider never answered: no browser got its client secret. */
const unansweredAfterMs = 10 * 60_000;
/** For so long somebody may well be at the card form: such a payment is asked about in every run, an older one each hour. */
const youngMs = 3_600_000;
const againAfterMs = { young: 60_000, old: 3_600_000 };
type Lane = keyof typeof againAfterMs;

/** Questions under way at once: the provider counts them too. */
const atOnce = 5;
const pageSize = 50;
/** How long a run stays with one lane. What is left of it is first in the next run. */
const laneMs = 60_000;

/**
 * Every few minutes: whatever was paid while no browser and no webhook told us is settled, and what nobody wants any
 * more is closed. Young payments first, so that a crowd of abandoned ones keeps nobody waiting.
 */
export async function settleOpenPayments(scope: PaymentScope, sweep: Sweep): Promise<void> {
  await sweepLane(scope, sweep, 'young');
  await sweepLane(scope, sweep, 'old');
  if (!sweep.signal.aborted) await sweepGivenBack(scope, sweep.onError);
}

async function sweepLane(scope: PaymentScope, { signal, onError }: Sweep, lane: Lane): Promise<void> {
  const account = await scope.provider.account();
  const end = scope.clock.now().getTime() + laneMs;
  while (!signal.aborted && scope.clock.now().getTime() < end) {
    const page = await nextPage(scope, lane, account);
    if (page.length === 0) return;
    const waiting = page.values();
    const ask = async () => {
      for (const payment of waiting) {
        if (signal.aborted) return;
        await settleOpen(scope, payment).catch(onError); // the next one may well be fine
      }
    };
    await Promise.all(Array.from({ length: atOnce }, ask));
  }
}

/**
 * Those of a lane that were asked about longest ago. They count as asked from now on, so that wherever a run ends, the
 * next one goes on behind it.
 */
async function nextPage({ db, clock, provider }: PaymentScope, lane: Lane, account: string | null): Promise<Payment[]> {
  const now = clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const due: Record<Lane, SQL | undefined> = {
    young: gt(payments.createdAt, ago(youngMs)),
    old: and(
      lte(payments.createdAt, ago(youngMs)),
      or(lte(payments.askedAt, ago(againAfterMs.old)), lte(payments.expiresAt, now)),
    ),
  };
  const page = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        inArray(payments.state, ['asking', 'open']),
        eq(payments.mode, modeOf(provider)),
        // Where either is not known, the provider says whether it knows the intent.
        account === null ? undefined : or(eq(payments.account, account), isNull(payments.account)),
        lte(payments.askedAt, ago(againAfterMs.young)),
        due[lane],
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
    if (now - payment.createdAt.getTime() > unansweredAfterMs)
      await closePayment(scope, payment, ['asking'], 'cancelled');
    return;
  }
  const intent = await provider.getIntent(payment.intentId);
  if (!intent) {
    // Nobody can pay it any more. Should the provider find it again, it is still settled.
    await closePayment(scope, payment, ['asking', 'open'], 'cancelled');
    return;
  }
  const settled = await settleIntent(scope, intent);
  if (settled.state !== 'unpaid' || now <= payment.expiresAt.getTime()) return;
  const cancelled = await provider.cancelIntent(payment.intentId);
  if (cancelled.status === 'canceled') await closePayment(scope, payment, ['open'], 'cancelled');
}
