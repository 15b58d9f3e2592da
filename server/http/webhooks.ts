import { Refusal } from '#contract/refusals.ts';
import { hasFoundItsPlace, isNewEvent } from '#shop/payments/payments.ts';
import { tellOfAnimation } from '#shop/production/animation-news.ts';
import type { Door } from './door/door.ts';
import { faultCounter } from './door/rate-limit.ts';

/**
 * Providers' callbacks, signed over the raw body. One about a payment is stored once and acted on by a job; one about a
 * video only wakes who waits for it.
 */
export function webhooksHttp({ app, shop }: Door): void {
  const { db, clock, jobs, provider } = shop;
  const countForged = faultCounter(app, 'forged-webhook');
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const route = { schema: { hide: true }, config: { rateLimit: false as const } };
    scope.post('/api/webhooks/stripe', route, async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      const isWhole = typeof signature === 'string' && Buffer.isBuffer(request.body);
      const event = isWhole ? provider.readWebhook(request.body as Buffer, signature) : 'forged';
      if (event === 'forged') {
        // Only a stranger is made to wait: a day of many sales is no reason to hear of them late.
        await countForged(request, reply);
        throw new Refusal('invalid-request');
      }
      if (event === 'unreadable') {
        request.log.warn('a signed webhook told of nothing this shop can read');
        throw new Refusal('invalid-request');
      }
      // An account has one address for both modes where its owner wished so. Test and live never mix.
      if (event.livemode !== provider.livemode) return { received: true };
      await db.transaction(async (tx) => {
        const { type, intentId } = event;
        if (!(await isNewEvent(tx, clock, event)) || intentId === undefined) return;
        const job = jobFor(type);
        // Most often its buyer came back faster than the provider's word: there is nothing left to do.
        if (job === 'settle-payment' && (await hasFoundItsPlace(tx, intentId))) return;
        if (job) await jobs.enqueue(tx, job, { intentId }, { key: intentId });
      });
      return { received: true };
    });
    scope.post('/api/webhooks/animator', route, async (request, reply) => {
      const whole = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const call = await shop.animator.readCall?.(whole, request.headers).catch((error: unknown) => {
        request.log.warn({ err: error }, 'a call of the animator could not be checked');
        throw new Refusal('unavailable');
      });
      if (call === undefined) throw new Refusal('not-found');
      if (call === 'forged') {
        await countForged(request, reply);
        throw new Refusal('invalid-request');
      }
      if (call === 'unreadable') throw new Refusal('invalid-request');
      await tellOfAnimation(db, call.jobId);
      return { received: true };
    });
  });
}

/** What an event means for the payment it names. The job reads everything at the provider anew, whatever the event said. */
function jobFor(
  type: string,
): 'settle-payment' | 'follow-refunds' | 'follow-disputes' | 'follow-fraud-warnings' | undefined {
  // We asked for it ourselves, and nobody can have paid it yet.
  if (type === 'payment_intent.created') return undefined;
  if (type.startsWith('payment_intent.')) return 'settle-payment';
  if (type.startsWith('charge.dispute.')) return 'follow-disputes';
  if (type.startsWith('radar.early_fraud_warning.')) return 'follow-fraud-warnings';
  if (type === 'charge.refunded' || /^(charge\.)?refund\./.test(type)) return 'follow-refunds';
}
