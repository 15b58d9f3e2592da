import { and, asc, eq, lt } from 'drizzle-orm';
import type { Db } from '../ports/database.ts';
import { closePayment, movePayment, paymentById, type Payment, type PaymentScope } from './payments.ts';
import { payments } from './payments.sql.ts';

/** Money that places nothing, a second payment of one checkout say, goes back by itself. */
export async function giveBack(
  tx: Db,
  { clock, jobs, purposes }: Pick<PaymentScope, 'clock' | 'jobs' | 'purposes'>,
  payment: Payment,
): Promise<Payment> {
  await closePayment({ db: tx, clock, purposes }, payment, ['settled'], 'refunding');
  await jobs.enqueue(tx, 'refund-payment', { paymentId: payment.id });
  return { ...payment, state: 'refunding' };
}

/** The job that gives it back, once however often it runs. */
export async function refundPayment(scope: PaymentScope, paymentId: string): Promise<void> {
  const { db, clock, provider, purposes, ownerEmail } = scope;
  const payment = await paymentById(db, paymentId);
  if (!payment || payment.state !== 'refunding' || payment.intentId === null) return;
  const { intentId } = payment;
  // The key makes it once for a day; a job that comes back later looks first.
  const made = (await provider.refundsOf(intentId)).filter((it) => it.status !== 'failed' && it.status !== 'canceled');
  const backCents = made.reduce((sum, it) => sum + it.amountCents, 0);
  const amountCents = payment.amountCents - backCents;
  if (amountCents > 0)
    await provider.refund({ intentId, amountCents, reason: 'duplicate' }, `refund-${payment.id}-${backCents}`);
  const ownersMailbox = await ownerEmail();
  await db.transaction(async (tx) => {
    if (await movePayment(tx, clock, payment.id, ['refunding'], 'refunded'))
      await purposes[payment.purpose].tellGivenBack(tx, { ...scope, ownersMailbox }, payment);
  });
}

/** Money that has not gone back in this time is given back anew. */
const staleMs = 24 * 3_600_000;
const mostAtOnce = 200;

/** Whatever job was lost: what should have gone back long ago is asked for again. */
export async function sweepGivenBack(scope: PaymentScope, onError: (error: unknown) => void): Promise<void> {
  const { db, clock, jobs } = scope;
  const stale = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.state, 'refunding'), lt(payments.updatedAt, new Date(clock.now().getTime() - staleMs))))
    .orderBy(asc(payments.updatedAt))
    .limit(mostAtOnce);
  for (const { id } of stale) {
    onError(new Error(`the refund of payment ${id} has not come through`));
    await db.transaction((tx) => jobs.enqueue(tx, 'refund-payment', { paymentId: id }, { key: id }));
  }
}
