import type { Stripe } from 'stripe';
import { DISPUTE_FEE_CENTS, recordBalanceTransaction } from './balance.ts';
import { createInvalidRequest, unexpectedStateError } from './errors.ts';
import { recordStripeEvent } from './events.ts';
import { createId } from './ids.ts';
import { getObject, insertObject, lockIntent, saveObject, toUnixSeconds, type OperationContext } from './store.ts';

const DAYS_TO_ANSWER = 7;

/**
 * Creates a dispute: the buyer's bank takes a payment back. With Stripe's dispute test cards, this happens some time
 * after the payment.
 */
export async function createDispute(work: OperationContext, intentId: string): Promise<Stripe.Dispute> {
  const { intent } = await lockIntent(work, intentId);
  if (intent.status !== 'succeeded' || typeof intent.latest_charge !== 'string') {
    throw unexpectedStateError(
      `This PaymentIntent (${intent.id}) does not have a successful charge to dispute.`,
      intent,
    );
  }
  const charge = await getObject(work.tx, 'charge', intent.latest_charge);
  if (charge.disputed)
    throw createInvalidRequest(`Charge ${charge.id} is disputed already.`, { code: 'charge_disputed' });
  const id = createId('du');
  const amount = charge.amount - charge.amount_refunded;
  const transaction = await recordBalanceTransaction(work, {
    source: id,
    intentId: intent.id,
    type: 'adjustment',
    category: 'dispute',
    amount: -amount,
    fee: DISPUTE_FEE_CENTS,
  });
  const dispute: Stripe.Dispute = {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [transaction],
    charge: charge.id,
    created: toUnixSeconds(work.now),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: toUnixSeconds(work.now) + DAYS_TO_ANSWER * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: intent.id,
    reason: 'fraudulent',
    status: 'needs_response',
  };
  await saveObject(work, { ...charge, disputed: true });
  await insertObject(work, dispute, intent.id);
  await recordStripeEvent(work, 'charge.dispute.created', dispute);
  return dispute;
}

/** Closes a dispute with the bank's decision. If the shop wins, it keeps the payment. */
export async function closeDispute(
  work: OperationContext,
  disputeId: string,
  status: 'won' | 'lost',
): Promise<Stripe.Dispute> {
  const { payment_intent: intentId } = await getObject(work.tx, 'dispute', disputeId);
  if (typeof intentId === 'string') await lockIntent(work, intentId);
  const dispute = await getObject(work.tx, 'dispute', disputeId);
  if (dispute.status === 'won' || dispute.status === 'lost') {
    throw createInvalidRequest(`Dispute ${disputeId} is closed already.`);
  }
  const returnedTransaction =
    status === 'won' &&
    (await recordBalanceTransaction(work, {
      source: dispute.id,
      type: 'adjustment',
      category: 'dispute_reversal',
      amount: dispute.amount,
      ...(typeof intentId === 'string' && { intentId }),
    }));
  const closedDispute: Stripe.Dispute = {
    ...dispute,
    status,
    balance_transactions: [...dispute.balance_transactions, ...(returnedTransaction ? [returnedTransaction] : [])],
  };
  await saveObject(work, closedDispute);
  if (status === 'won' && typeof dispute.charge === 'string') {
    await saveObject(work, { ...(await getObject(work.tx, 'charge', dispute.charge)), disputed: false });
  }
  await recordStripeEvent(work, 'charge.dispute.updated', closedDispute);
  await recordStripeEvent(work, 'charge.dispute.closed', closedDispute);
  return closedDispute;
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
