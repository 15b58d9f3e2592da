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
        if (!(await isNewEvent(tx, clock, event)) || event.intentId === undefined) return;
        if (event.type.startsWith('payment_intent.'))
          await jobs.enqueue(tx, 'settle-payment', { intentId: event.intentId }, { key: event.intentId });
      });
      return { received: true };
    });
  });
}
