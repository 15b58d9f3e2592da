import { Refusal } from '#contract/refusals.ts';
import { recordDelivery } from '#shop/labels/labels.ts';
import { isFulfilledOrClosed, recordPaymentEventOnce } from '#shop/payments/payments.ts';
import { notifyOfAnimation } from '#shop/production/animation-notifications.ts';
import type { HttpScope } from './common/http-scope.ts';
import { createFaultCounter } from './common/rate-limit.ts';

/**
 * Webhooks of the payment provider, the animator and the label service. Their signature covers the raw body. An event of
 * a payment is stored once and handled by a job. A call of the animator only notifies the job that waits for the video. A
 * call of the label service about a delivered package is recorded once.
 */
export function registerWebhookRoutes({ app, shop }: HttpScope): void {
  const { db, clock, jobs, provider } = shop;
  const countForged = createFaultCounter(app, 'forged-webhook');
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const routeOptions = { schema: { hide: true }, config: { rateLimit: false as const, isForPrograms: true } };
    scope.post('/api/webhooks/stripe', routeOptions, async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      const hasSignatureAndBody = typeof signature === 'string' && Buffer.isBuffer(request.body);
      const event = hasSignatureAndBody ? provider.readWebhook(request.body as Buffer, signature) : 'forged';
      if (event === 'forged') {
        // Limit only forged calls, because real events must not be delayed on a day with many sales.
        await countForged(request, reply);
        throw new Refusal('invalid-request');
      }
      if (event === 'unreadable') {
        request.log.warn('a signed webhook could not be read');
        throw new Refusal('invalid-request');
      }
      // Ignore events of the other mode: the provider may send test and live events to the same address.
      if (event.livemode !== provider.livemode) return { received: true };
      await db.transaction(async (tx) => {
        const { type, intentId } = event;
        if (!(await recordPaymentEventOnce(tx, clock, event)) || intentId === undefined) return;
        const job = findJobForEvent(type);
        // Usually the buyer's browser has already settled the payment, so no job is needed.
        if (job === 'settle-payment' && (await isFulfilledOrClosed(tx, intentId))) return;
        if (job) await jobs.enqueue(tx, job, { intentId }, { key: intentId });
      });
      return { received: true };
    });
    scope.post('/api/webhooks/animator', routeOptions, async (request, reply) => {
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const animatorNotification = await shop.animator
        .readWebhookCall?.(rawBody, request.headers)
        .catch((error: unknown) => {
          request.log.warn({ err: error }, 'a call of the animator could not be checked');
          throw new Refusal('unavailable');
        });
      if (animatorNotification === undefined) throw new Refusal('not-found');
      if (animatorNotification === 'forged') {
        await countForged(request, reply);
        throw new Refusal('invalid-request');
      }
      if (animatorNotification === 'unreadable') throw new Refusal('invalid-request');
      await notifyOfAnimation(db, animatorNotification.jobId);
      return { received: true };
    });
    scope.post('/api/webhooks/easypost', routeOptions, async (request, reply) => {
      if (!shop.config.easypost?.webhookSecret || !shop.labels) throw new Refusal('not-found');
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const labelNotification = shop.labels.readWebhook(rawBody, request.headers);
      if (labelNotification === 'forged') {
        await countForged(request, reply);
        throw new Refusal('invalid-request');
      }
      // The account at the service may also be used for packages of other shops.
      if (labelNotification !== 'other' && (await recordDelivery(shop, labelNotification))) shop.live.publish('orders');
      return { received: true };
    });
  });
}

/**
 * The job for an event of a payment. The job reads the current state from the provider and ignores the content of the
 * event.
 */
function findJobForEvent(
  type: string,
): 'settle-payment' | 'follow-refunds' | 'follow-disputes' | 'follow-fraud-warnings' | undefined {
  // The shop has just created this payment, so it cannot be paid yet.
  if (type === 'payment_intent.created') return undefined;
  if (type.startsWith('payment_intent.')) return 'settle-payment';
  if (type.startsWith('charge.dispute.')) return 'follow-disputes';
  if (type.startsWith('radar.early_fraud_warning.')) return 'follow-fraud-warnings';
  if (type === 'charge.refunded' || /^(charge\.)?refund\./.test(type)) return 'follow-refunds';
}
