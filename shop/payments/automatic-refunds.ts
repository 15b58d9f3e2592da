import { and, asc, eq, lt } from 'drizzle-orm';
import type { Refund } from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { queueMail } from '../mail/mail.ts';
import {
  closePayment,
  lockPayment,
  changePaymentState,
  findPaymentById,
  type Payment,
  type PaymentScope,
} from './payments.ts';
import { payments } from './payments.sql.ts';

/** Automatically refunds a payment that buys nothing, for example the second payment of one checkout. */
export async function refundAutomatically(
  tx: Db,
  { clock, jobs, purposes }: Pick<PaymentScope, 'clock' | 'jobs' | 'purposes'>,
  payment: Payment,
): Promise<Payment> {
  await closePayment({ db: tx, clock, purposes }, payment, ['settled'], 'refunding');
  await jobs.enqueue(tx, 'refund-payment', { paymentId: payment.id });
  return { ...payment, state: 'refunding' };
}

/**
 * The job that refunds a payment. It refunds the payment once, even if the job runs several times. It never retries a
 * failed refund.
 */
export async function refundPayment(scope: PaymentScope, paymentId: string): Promise<void> {
  const payment = await findPaymentById(scope.db, paymentId);
  if (!payment || payment.intentId === null) return;
  // After the owner has closed the payment, no refund is requested. An earlier request may still have reached the
  // provider, so the job checks the provider's refunds.
  const syncProviderRefund =
    payment.state === 'refunding' ? refundRemainder : payment.state === 'closed' ? syncAutomaticRefund : undefined;
  const isRefundRecorded =
    syncProviderRefund === undefined || (await syncProviderRefund(scope, payment, payment.intentId));
  if (!isRefundRecorded) await refundPayment(scope, paymentId); // another transaction has changed the payment, so start again
}

/** Returns false if another transaction changed the payment in the meantime. */
async function refundRemainder(scope: PaymentScope, payment: Payment, intentId: string): Promise<boolean> {
  // The idempotency key prevents a second refund only for a day. The job may run later than that, so it first reads the
  // existing refunds.
  const { backCents, leftCents, failed } = await readAutomaticRefund(scope, payment, intentId);
  const request = { intentId, amountCents: leftCents, reason: 'duplicate' };
  const requestRefundAtProvider = () => scope.provider.refund(request, `refund-${payment.id}-${backCents}`);
  const providerRefund = leftCents > 0 ? (failed[0] ?? (await requestRefundAtProvider())) : undefined;
  return providerRefund && isFailedRefund(providerRefund)
    ? recordFailedRefund(scope, payment, providerRefund)
    : noteGivenBack(scope, payment);
}

/**
 * Handles refunds that the provider reports for a payment that is being refunded or was refunded. A failed refund means
 * that the money is back at the shop. Returns false if another transaction changed the payment in the meantime, because
 * the data read here may then be old.
 */
export async function syncAutomaticRefund(scope: PaymentScope, payment: Payment, intentId: string): Promise<boolean> {
  const { leftCents, failed, isAgreed } = await readAutomaticRefund(scope, payment, intentId);
  if (leftCents === 0) return noteGivenBack(scope, payment);
  if (!failed[0] || payment.state === 'closed') return true;
  return recordFailedRefund(scope, payment, failed[0], isAgreed ? 'refunding' : 'mismatched');
}

export const isFailedRefund = ({ status }: Pick<Refund, 'status'>) => status === 'failed' || status === 'canceled';

/** Reads from the provider which amount is still to be refunded, and the failed refunds, newest first. */
export async function readAutomaticRefund(
  { provider }: Pick<PaymentScope, 'provider'>,
  { amountCents, currency }: Payment,
  intentId: string,
) {
  const [intent, made] = [await provider.getIntent(intentId), await provider.listRefundsOf(intentId)];
  const refundedCents = made.filter((it) => !isFailedRefund(it)).reduce((sum, it) => sum + it.amountCents, 0);
  const receivedCents = intent?.amountReceivedCents ?? amountCents;
  return {
    backCents: refundedCents,
    leftCents: Math.max(0, receivedCents - refundedCents),
    failed: made.filter(isFailedRefund),
    isAgreed: receivedCents === amountCents && intent?.currency === currency,
  };
}

/** Locks the payment. Returns false if it has changed since it was read before the request to the provider. */
const isAsRead = async (tx: Db, { id, updatedAt }: Payment) =>
  (await lockPayment(tx, id))?.updatedAt.getTime() === updatedAt.getTime();

async function noteGivenBack(scope: PaymentScope, payment: Payment): Promise<boolean> {
  const { db, clock, purposes, ownerEmail } = scope;
  const [ownersMailbox, deliveryTimes] = await Promise.all([ownerEmail(), scope.deliveryTimes()]);
  return db.transaction(async (tx) => {
    if (!(await isAsRead(tx, payment))) return false;
    // `closed` is included because the owner may have closed the payment just after the refund was requested. The
    // refund was made anyway, so the notification is sent.
    if (await changePaymentState(tx, clock, payment.id, ['refunding', 'closed'], 'refunded'))
      await purposes[payment.purpose].notifyGivenBack(tx, { ...scope, ownersMailbox, deliveryTimes }, payment);
    return true;
  });
}

/** Notifies the owner once that the refund has failed. The owner decides what to do. */
async function recordFailedRefund(
  { db, clock, jobs, purposes, link, ownerEmail }: PaymentScope,
  payment: Payment,
  { id, amountCents, failureReason }: Refund,
  state: 'refunding' | 'mismatched' = 'refunding',
): Promise<boolean> {
  const mailAddress = await ownerEmail();
  return db.transaction(async (tx) => {
    if (!(await isAsRead(tx, payment))) return false;
    if (state === 'mismatched') await changePaymentState(tx, clock, payment.id, ['refunded'], state);
    else await closePayment({ db: tx, clock, purposes }, payment, ['refunding', 'refunded'], state);
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `owner-refund-failed:${id}`,
        to: mailAddress,
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

/** A refund that takes longer than this is requested again. */
const staleMs = 24 * 3_600_000;
const maxPerRun = 200;

/** Requests refunds again that have not finished for a day, in case their job was lost. */
export async function sweepAutomaticRefunds(scope: PaymentScope, onError: (error: unknown) => void): Promise<void> {
  const { db, clock, jobs } = scope;
  const stalePayments = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.state, 'refunding'), lt(payments.updatedAt, new Date(clock.now().getTime() - staleMs))))
    .orderBy(asc(payments.updatedAt))
    .limit(maxPerRun);
  for (const { id } of stalePayments) {
    onError(new Error(`the refund of payment ${id} has not come through`));
    await db.transaction((tx) => jobs.enqueue(tx, 'refund-payment', { paymentId: id }, { key: id }));
  }
}
