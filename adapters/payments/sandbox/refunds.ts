import type { Stripe } from 'stripe';
import { recordBalanceTransaction } from './balance.ts';
import { createInvalidRequest, notFoundError, unexpectedStateError } from './errors.ts';
import { recordStripeEvent } from './events.ts';
import { createId } from './ids.ts';
import { missingParameterError, type CreateRefund } from './parameters.ts';
import { mergeMetadata } from './stripe-fields.ts';
import { reverseTax } from './tax.ts';
import {
  findObject,
  getObject,
  insertObject,
  lockIntent,
  saveObject,
  toUnixSeconds,
  type OperationContext,
} from './store.ts';

/**
 * Refunds the given amount, or everything that is not refunded yet. Never refunds more than was charged, even with
 * concurrent requests.
 */
export async function createRefund(work: OperationContext, params: CreateRefund): Promise<Stripe.Refund> {
  const { intent } = await lockIntent(work, await findRefundedIntentId(work, params));
  if (intent.status !== 'succeeded' || typeof intent.latest_charge !== 'string') {
    throw unexpectedStateError(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      intent,
    );
  }
  const charge = await getObject(work.tx, 'charge', intent.latest_charge);
  const amount = computeRefundableCents(charge, params.amount);
  const id = createId('re');
  const transaction = await recordBalanceTransaction(work, {
    source: id,
    intentId: intent.id,
    type: 'refund',
    category: 'refund',
    amount: -amount,
  });
  const refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: transaction.id,
    charge: charge.id,
    created: toUnixSeconds(work.now),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: mergeMetadata({}, params.metadata),
    payment_intent: intent.id,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  } satisfies Stripe.Refund;
  const refundedCents = charge.amount_refunded + amount;
  const refundedCharge: Stripe.Charge = {
    ...charge,
    amount_refunded: refundedCents,
    refunded: refundedCents === charge.amount,
  };
  await saveObject(work, refundedCharge);
  await insertObject(work, refund, intent.id);
  await reverseTax(work, refund.id, intent.id);
  await recordStripeEvent(work, 'refund.created', refund);
  await recordStripeEvent(work, 'charge.refunded', refundedCharge);
  return addBankReference(work, refund);
}

/** Adds the bank's reference number to a refund. At Stripe, the bank provides it days later. */
async function addBankReference(work: OperationContext, refund: Stripe.Refund): Promise<Stripe.Refund> {
  const updatedRefund: Stripe.Refund = {
    ...refund,
    destination_details: {
      card: { reference_status: 'available', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
  };
  await saveObject(work, updatedRefund);
  await recordStripeEvent(work, 'refund.updated', updatedRefund);
  return updatedRefund;
}

/**
 * Makes a refund fail because the card no longer accepts it. At Stripe, this can happen days after the refund
 * succeeded.
 */
export async function failRefund(work: OperationContext, refundId: string): Promise<Stripe.Refund> {
  const { payment_intent: intentId } = await getObject(work.tx, 'refund', refundId);
  if (typeof intentId === 'string') await lockIntent(work, intentId);
  const refund = await getObject(work.tx, 'refund', refundId);
  if (typeof refund.charge !== 'string' || refund.status === 'failed') {
    throw createInvalidRequest(`Refund ${refundId} cannot fail: it has failed already.`);
  }
  const charge = await getObject(work.tx, 'charge', refund.charge);
  const failedRefund: Stripe.Refund = { ...refund, status: 'failed', failure_reason: 'expired_or_canceled_card' };
  await saveObject(work, {
    ...charge,
    amount_refunded: charge.amount_refunded - refund.amount,
    refunded: false,
  });
  await saveObject(work, failedRefund);
  await recordBalanceTransaction(work, {
    source: refund.id,
    type: 'refund_failure',
    category: 'refund_failure',
    amount: refund.amount,
    ...(typeof refund.payment_intent === 'string' && { intentId: refund.payment_intent }),
  });
  await recordStripeEvent(work, 'refund.updated', failedRefund);
  await recordStripeEvent(work, 'refund.failed', failedRefund);
  return failedRefund;
}

async function findRefundedIntentId(work: OperationContext, params: CreateRefund): Promise<string> {
  if (params.payment_intent !== undefined) return params.payment_intent;
  if (params.charge === undefined) throw missingParameterError('payment_intent');
  const charge = await findObject(work.tx, 'charge', params.charge);
  if (typeof charge?.payment_intent !== 'string') throw notFoundError('charge', params.charge, 'charge');
  return charge.payment_intent;
}

function computeRefundableCents(charge: Stripe.Charge, requestedCents: number | undefined): number {
  if (charge.disputed) {
    throw createInvalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  }
  const amountLeft = charge.amount - charge.amount_refunded;
  if (amountLeft === 0) {
    throw createInvalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  const amount = requestedCents ?? amountLeft;
  if (amount < 1)
    throw createInvalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' });
  if (amount > amountLeft) {
    throw createInvalidRequest(
      `Refund amount (${formatDollars(amount)}) is greater than unrefunded amount on charge (${formatDollars(amountLeft)})`,
      { param: 'amount' },
    );
  }
  return amount;
}

const formatDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
