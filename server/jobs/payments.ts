import { Refusal } from '#contract/refusals.ts';
import { remindOfCarts } from '#shop/checkout/cart-reminders.ts';
import { mailReleasedAddon } from '#shop/addons/released-addon-mail.ts';
import { mailReleasedPayment } from '#shop/checkout/released-payment-mail.ts';
import { cancelPayment } from '#shop/payments/cancel.ts';
import { readFees } from '#shop/payments/fees.ts';
import { refundPayment } from '#shop/payments/automatic-refunds.ts';
import { settleIntentById } from '#shop/payments/settle.ts';
import { settleOpenPayments } from '#shop/payments/sweep.ts';
import { notifyOfLostJob } from '#shop/payments/lost-jobs.ts';
import { syncDisputes } from '#shop/refunds/disputes.ts';
import { syncFraudWarnings } from '#shop/refunds/fraud-warnings.ts';
import { requestRefund, syncRefunds, sweepRefunds } from '#shop/refunds/refunds.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerPaymentJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  const { log } = shop;
  const notifyIfLost = (key: string, job: string, isLastTry: boolean, work: () => Promise<void>) =>
    work().catch(async (error: unknown) => {
      if (isLastTry) await notifyOfLostJob(shop, { key, job }, error);
      throw error;
    });
  await jobs.startWorkers('settle-payment', ({ intentId }) =>
    ignoreFinalRefusal(shop, { intentId }, () => settleIntentById(shop, intentId)).finally(() =>
      shop.live.publish('orders', 'uploads'),
    ),
  );
  await jobs.startWorkers('cancel-payment', ({ paymentId }) =>
    ignoreFinalRefusal(shop, { paymentId }, () => cancelPayment(shop, paymentId)),
  );
  await jobs.startWorkers('mail-released-payment', async ({ paymentId }) => {
    await mailReleasedPayment(shop, paymentId); // each of the two functions ignores the payments that the other one handles
    await mailReleasedAddon(shop, paymentId);
  });
  await jobs.startWorkers('refund-payment', ({ paymentId }, { isLastTry }) =>
    notifyIfLost(`refund-payment:${paymentId}`, `giving payment ${paymentId} back`, isLastTry, () =>
      refundPayment(shop, paymentId),
    ),
  );
  await jobs.startWorkers('ask-refund', ({ refundId }) => requestRefund(shop, refundId));
  for (const [name, follow, what] of [
    ['follow-refunds', syncRefunds, 'refunds'],
    ['follow-disputes', syncDisputes, 'disputes'],
    ['follow-fraud-warnings', syncFraudWarnings, 'fraud warnings'],
  ] as const)
    await jobs.startWorkers(name, ({ intentId }, { isLastTry }) =>
      notifyIfLost(`${name}:${intentId}`, `reading the ${what} of payment ${intentId}`, isLastTry, () =>
        follow(shop, intentId),
      ),
    );
  await jobs.startWorkers('settle-open-payments', async (_data, { signal }) => {
    const onError = (error: unknown) => log.error({ err: error }, 'an open payment could not be settled');
    await settleOpenPayments(shop, { signal, onError });
    await sweepRefunds(shop);
  });
  await jobs.schedule('settle-open-payments', '*/3 * * * *');
  await jobs.startWorkers('remind-carts', async (_data, { signal }) => {
    const onError = (error: unknown) => log.error({ err: error }, 'a cart could not be reminded of');
    await remindOfCarts(shop, { signal, onError });
  });
  await jobs.schedule('remind-carts', '*/5 * * * *');
  await jobs.startWorkers('read-fees', async (_data, { signal }) => {
    const onError = (error: unknown) => log.warn({ err: error }, 'the fee of a payment could not be read');
    if ((await readFees(shop, { signal, onError })) > 0) shop.live.publish('orders');
  });
  await jobs.schedule('read-fees', '* * * * *');
}

/**
 * Runs `settling`. Logs an error that a retry cannot fix, so that the queue does not retry the job. One such error is
 * an intent of another program that uses the same provider account. The other is an intent that does not match its
 * cart: the owner was already notified of it.
 */
async function ignoreFinalRefusal(shop: Shop, about: object, settling: () => Promise<unknown>): Promise<void> {
  try {
    await settling();
  } catch (error) {
    if (!(error instanceof Refusal && finalRefusalCodes.has(error.code))) throw error;
    shop.log.warn({ ...about, code: error.code }, 'a payment cannot become an order');
  }
}

const finalRefusalCodes: ReadonlySet<string> = new Set(['payment-not-found', 'payment-mismatch']);
