import { eq } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { createInvalidRequest, unexpectedStateError } from './errors.ts';
import { recordStripeEvent } from './events.ts';
import { createId } from './ids.ts';
import { sandboxObjects } from './sandbox.sql.ts';
import { getObject, insertObject, listObjects, lockIntent, toUnixSeconds, type OperationContext } from './store.ts';

const FRAUD_WARNING_TYPE = 'radar.early_fraud_warning';

/** Creates a fraud warning: the card's issuer reports a payment as likely fraud, often some days before a dispute. */
export async function createFraudWarning(
  work: OperationContext,
  intentId: string,
): Promise<Stripe.Radar.EarlyFraudWarning> {
  const { intent } = await lockIntent(work, intentId);
  if (intent.status !== 'succeeded' || typeof intent.latest_charge !== 'string') {
    throw unexpectedStateError(
      `This PaymentIntent (${intent.id}) does not have a successful charge to warn of.`,
      intent,
    );
  }
  const isOfIntent = eq(sandboxObjects.intentId, intent.id);
  const earlierWarnings = await listObjects(work.tx, FRAUD_WARNING_TYPE, '', { limit: 1 }, [isOfIntent]);
  if (earlierWarnings.data.length > 0)
    throw createInvalidRequest(`Charge ${intent.latest_charge} has been reported already.`);
  const charge = await getObject(work.tx, 'charge', intent.latest_charge);
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: createId('issfr'),
    object: FRAUD_WARNING_TYPE,
    actionable: !charge.disputed && !charge.refunded,
    charge: charge.id,
    created: toUnixSeconds(work.now),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    payment_intent: intent.id,
  };
  await insertObject(work, warning, intent.id);
  await recordStripeEvent(work, 'radar.early_fraud_warning.created', warning);
  return warning;
}
