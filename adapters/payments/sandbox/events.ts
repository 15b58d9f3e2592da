import { Stripe } from 'stripe';
import { createId } from './ids.ts';
import { sandboxDeliveries } from './sandbox.sql.ts';
import { insertObject, toUnixSeconds, type AnyStripeObject, type OperationContext } from './store.ts';

export type EventType =
  | 'charge.captured'
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.dispute.updated'
  | 'charge.failed'
  | 'charge.pending'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'customer.created'
  | 'payment_intent.amount_capturable_updated'
  | 'payment_intent.canceled'
  | 'payment_intent.created'
  | 'payment_intent.payment_failed'
  | 'payment_intent.processing'
  | 'payment_intent.requires_action'
  | 'payment_intent.succeeded'
  | 'radar.early_fraud_warning.created'
  | 'refund.created'
  | 'refund.failed'
  | 'refund.updated';

/** Records an event and its webhook delivery in the same transaction as the change that caused them. */
export async function recordStripeEvent(
  work: OperationContext,
  type: EventType,
  object: AnyStripeObject,
): Promise<void> {
  const event = {
    id: createId('evt'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: toUnixSeconds(work.now),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: work.request,
    type,
  } as Stripe.Event;
  await insertObject(work, event);
  await work.tx.insert(sandboxDeliveries).values({ eventId: event.id, dueAt: work.now, createdAt: work.now });
}
