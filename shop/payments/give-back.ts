import { and, asc, eq, lt } from 'drizzle-orm';
import type { Refund } from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { queueMail } from '../mail/mail.ts';
import { closePayment, holdPayment, movePayment, paymentById, type Payment, type PaymentScope } from './payments.ts';
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

/** The job that gives it back, once however often it runs. A refund that failed is never tried again by itself. */
export async function refundPayment(scope: PaymentScope, paymentId: string): Promise<void> {
  const payment = await paymentById(scope.db, paymentId);
  if (!payment || payment.intentId === null) return;
  // Closed by the owner, it is not asked for any more: but an earlier question may have reached the provider.
  const follow = payment.state === 'refunding' ? askBack : payment.state === 'closed' ? followGivenBack : undefined;
  const isNoted = follow === undefined || (await follow(scope, payment, payment.intentId));
  if (!isNoted) await refundPayment(scope, paymentId); // somebody else wrote meanwhile: look again
}

/** False where somebody else wrote meanwhile. */
async function askBack(scope: PaymentScope, payment: Payment, intentId: string): Promise<boolean> {
  // The key makes it once for a day; a job that comes back later looks first.
  const { backCents, leftCents, failed } = await readGivenBack(scope, payment, intentId);
  const request = { intentId, amountCents: leftCents, reason: 'duplicate' };
  const ask = () => scope.provider.refund(request, `refund-${payment.id}-${backCents}`);
  const answer = leftCents > 0 ? (failed[0] ?? (await ask())) : undefined;
  return answer && hasFailed(answer) ? noteFailed(scope, payment, answer) : noteGivenBack(scope, payment);
}

/**
 * The provider told of refunds of a payment that goes back, or has gone back: the money may be with us again. False where
 * somebody else wrote meanwhile, so that what was read here may be old.
 */
export async function followGivenBack(scope: PaymentScope, payment: Payment, intentId: string): Promise<boolean> {
  const { leftCents, failed, isAgreed } = await readGivenBack(scope, payment, intentId);
  if (leftCents === 0) return noteGivenBack(scope, payment);
  if (!failed[0] || payment.state === 'closed') return true;
  return noteFailed(scope, payment, failed[0], isAgreed ? 'refunding' : 'mismatched');
}

export const hasFailed = ({ status }: Pick<Refund, 'status'>) => status === 'failed' || status === 'canceled';

/** What is to go back of a payment still, as the provider has it, and the refunds of it that failed, newest first. */
export async function readGivenBack(
  { provider }: Pick<PaymentScope, 'provider'>,
  { amountCents, currency }: Payment,
  intentId: string,
) {
  const [intent, made] = [await provider.getIntent(intentId), await provider.refundsOf(intentId)];
  const backCents = made.filter((it) => !hasFailed(it)).reduce((sum, it) => sum + it.amountCents, 0);
  const receivedCents = intent?.amountReceivedCents ?? amountCents;
  return {
    backCents,
    leftCents: Math.max(0, receivedCents - backCents),
    failed: made.filter(hasFailed),
    isAgreed: receivedCents === amountCents && intent?.currency === currency,
  };
}

/** Holds the payment. False where it is not as it was read before the provider was asked. */
const isAsRead = async (tx: Db, { id, updatedAt }: Payment) =>
  (await holdPayment(tx, id))?.updatedAt.getTime() === updatedAt.getTime();

async function noteGivenBack(scope: PaymentScope, payment: Payment): Promise<boolean> {
  const { db, clock, purposes, ownerEmail } = scope;
  const ownersMailbox = await ownerEmail();
  return db.transaction(async (tx) => {
    if (!(await isAsRead(tx, payment))) return false;
    // Asked for a moment before the owner closed it: then it has gone back after all, and she is told.
    if (await movePayment(tx, clock, payment.id, ['refunding', 'closed'], 'refunded'))
      await purposes[payment.purpose].tellGivenBack(tx, { ...scope, ownersMailbox }, payment);
    return true;
  });
}

/** It has not gone back after all: the owner hears of it once, and decides. */
async function noteFailed(
  { db, clock, jobs, purposes, link, ownerEmail }: PaymentScope,
  payment: Payment,
  { id, amountCents, failureReason }: Refund,
  state: 'refunding' | 'mismatched' = 'refunding',
): Promise<boolean> {
  const to = await ownerEmail();
  return db.transaction(async (tx) => {
    if (!(await isAsRead(tx, payment))) return false;
    if (state === 'mismatched') await movePayment(tx, clock, payment.id, ['refunded'], state);
    else await closePayment({ db: tx, clock, purposes }, payment, ['refunding', 'refunded'], state);
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `owner-refund-failed:${id}`,
        to,
        content: {
          kind: 'owner-refund-failed',
          paymentIntentId: payment.intentId!,
          customerEmail: payment.email ?? undefined,
          amountCents,
          reason: failureReason,
          adminUrl: link('/admin?tab=orders'),
        },
      },
    );
    return true;
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
