/** Checkout sessions, which are payments on the provider's page. The sandbox has no such page. */
import type { Stripe } from 'stripe';
import type { z } from 'zod';
import { createId } from './ids.ts';
import type { createSessionParams } from './parameters.ts';
import { mergeMetadata } from './stripe-fields.ts';
import { createIntent } from './payment-intents.ts';
import { getObject, insertObject, readIntentRow, toUnixSeconds, type OperationContext } from './store.ts';

/** The fields of Stripe's session that a shop like this one reads. */
export type CheckoutSession = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_subtotal'
  | 'amount_total'
  | 'cancel_url'
  | 'created'
  | 'currency'
  | 'livemode'
  | 'metadata'
  | 'mode'
  | 'payment_intent'
  | 'payment_status'
  | 'status'
  | 'success_url'
  | 'url'
>;

/** Creates a session. Its intent is created immediately, so that it can be confirmed without a page. */
export async function createSession(
  work: OperationContext,
  params: z.output<typeof createSessionParams>,
): Promise<CheckoutSession> {
  const amount = params.line_items.reduce((sum, it) => sum + it.quantity * it.price_data.unit_amount, 0);
  const { customer, payment_intent_data: data } = params;
  const { id: intentId } = await createIntent(work, { ...data, customer, amount, currency: 'usd' });
  const session: CheckoutSession = {
    id: createId('cs_test'),
    object: 'checkout.session',
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url: params.cancel_url ?? null,
    created: toUnixSeconds(work.now),
    currency: 'usd',
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    mode: 'payment',
    payment_intent: intentId,
    payment_status: 'unpaid',
    status: 'open',
    success_url: params.success_url,
    url: null,
  };
  await insertObject(work, session, intentId);
  return session;
}

/** Returns a session with the payment status of its intent. */
export async function readSession(work: OperationContext, id: string): Promise<CheckoutSession> {
  const session = await getObject(work.tx, 'checkout.session', id);
  const { intent } = await readIntentRow(work.tx, session.payment_intent as string);
  if (intent.status === 'canceled') return { ...session, status: 'expired' };
  const isConfirmed = intent.status === 'succeeded' || intent.status === 'processing';
  return {
    ...session,
    status: isConfirmed ? 'complete' : 'open',
    payment_status: intent.status === 'succeeded' ? 'paid' : 'unpaid',
  };
}
