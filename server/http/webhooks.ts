import { Refusal } from '#contract/refusals.ts';
import { isNewEvent } from '#shop/payments/payments.ts';
import type { Door } from './door.ts';

/** The payment provider's callbacks: signed over the raw body, each stored once, acted on by a job. */
export function webhooksHttp({ app, shop }: Door): void {
  const { db, clock, jobs, provider } = shop;
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post('/api/webhooks/stripe', { schema: { hide: true } }, async (request) => {
      const signature = request.headers['stripe-signature'];
      const event =
        typeof signature === 'string' && Buffer.isBuffer(request.body)
          ? provider.readWebhook(request.body, signature)
          : undefined;
      if (!event) throw new Refusal('invalid-request');
      await db.transaction(async (tx) => {
        const { type, intentId } = event;
        if (!(await isNewEvent(tx, clock, event)) || intentId === undefined) return;
        const job = jobFor(type);
        if (job) await jobs.enqueue(tx, job, { intentId }, { key: intentId });
      });
      return { received: true };
    });
  });
}

/** What an event means for the payment it names. The job reads everything at the provider anew, whatever the event said. */
function jobFor(type: string): 'settle-payment' | 'follow-refunds' | 'follow-disputes' | undefined {
  if (type.startsWith('payment_intent.')) return 'settle-payment';
  if (type.startsWith('charge.dispute.')) return 'follow-disputes';
  if (type === 'charge.refunded' || /^(charge\.)?refund\./.test(type)) return 'follow-refunds';
}
