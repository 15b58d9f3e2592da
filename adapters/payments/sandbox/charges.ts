import type { Stripe } from 'stripe';
import { recordBalanceTransaction } from './balance.ts';
import type { CardDecline } from './cards.ts';
import { recordStripeEvent } from './events.ts';
import { createId } from './ids.ts';
import { getObject, insertObject, saveObject, toUnixSeconds, type OperationContext } from './store.ts';

export type ChargeOutcome = { status: 'succeeded' | 'pending' } | { status: 'failed'; decline: CardDecline };

/** Makes one attempt to charge an intent's full amount, or to authorize it if the intent is captured manually. */
export async function createCharge(
  work: OperationContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  outcome: ChargeOutcome,
): Promise<Stripe.Charge> {
  const id = createId('ch');
  const decline = outcome.status === 'failed' ? outcome.decline : undefined;
  const isCaptured = outcome.status !== 'failed' && intent.capture_method !== 'manual';
  const charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: outcome.status === 'succeeded' && isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'KINFRAME',
    captured: isCaptured,
    created: toUnixSeconds(work.now),
    currency: intent.currency,
    customer: typeof intent.customer === 'string' ? intent.customer : null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: chargeOutcomeOf(decline),
    paid: outcome.status === 'succeeded',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: describeChargedCard(intent, method), type: 'card' },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: outcome.status,
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.Charge;
  await insertObject(work, charge, intent.id);
  return charge;
}

/** Stripe's fee for a card payment in the United States: 2.9% and 30 cents. A refund does not return it. */
const computeFeeCents = (cents: number) => Math.round((cents * 29) / 1000) + 30;

/** Records the balance transaction of a successful charge, with Stripe's fee. */
export async function recordChargeBalance(work: OperationContext, charge: Stripe.Charge): Promise<Stripe.Charge> {
  const { id: source, amount, description } = charge;
  const transaction = await recordBalanceTransaction(work, {
    source,
    type: 'charge',
    category: 'charge',
    amount,
    fee: computeFeeCents(amount),
    description,
    ...(typeof charge.payment_intent === 'string' && { intentId: charge.payment_intent }),
  });
  const bookedCharge = { ...charge, balance_transaction: transaction.id };
  await saveObject(work, bookedCharge);
  return bookedCharge;
}

/** Releases an authorization. Stripe shows its charge as fully refunded. */
export async function releaseCharge(
  work: OperationContext,
  { latest_charge: id }: Stripe.PaymentIntent,
): Promise<void> {
  if (typeof id !== 'string') return;
  const charge = await getObject(work.tx, 'charge', id);
  const releasedCharge: Stripe.Charge = { ...charge, amount_refunded: charge.amount, refunded: true };
  await saveObject(work, releasedCharge);
  await recordStripeEvent(work, 'charge.refunded', releasedCharge);
}

function chargeOutcomeOf(decline: CardDecline | undefined): Stripe.Charge.Outcome {
  return {
    advice_code: decline ? 'try_again_later' : null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline?.declineCode ?? null,
    risk_level: 'normal',
    risk_score: 20,
    seller_message: decline ? 'The bank did not approve this payment.' : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  };
}

function describeChargedCard(
  intent: Stripe.PaymentIntent,
  { card }: Stripe.PaymentMethod,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: intent.amount,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: card?.checks ?? null,
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 0,
    exp_year: card?.exp_year ?? 0,
    fingerprint: null,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_token: { used: false },
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}
