/** Payment intents before payment: create, read, update, cancel. */
import type { Stripe } from 'stripe';
import { releaseCharge } from './charges.ts';
import { createInvalidRequest, notFoundError, unexpectedStateError } from './errors.ts';
import { recordStripeEvent } from './events.ts';
import { createClientSecret, createId } from './ids.ts';
import type { CancelIntent, CreateIntent, ReadIntent, UpdateIntent } from './parameters.ts';
import { toStripeAddress, mergeMetadata } from './stripe-fields.ts';
import { createTaxHooks } from './tax.ts';
import {
  findObject,
  getObject,
  insertObject,
  lockIntent,
  saveObject,
  toUnixSeconds,
  type OperationContext,
} from './store.ts';

const MIN_AMOUNT_CENTS = 50;
const MAX_AMOUNT_CENTS = 99_999_999;

export async function createIntent(work: OperationContext, params: CreateIntent): Promise<Stripe.PaymentIntent> {
  requireValidAmount(params.amount);
  await refuseUnknownCustomer(work, params.customer);
  const id = createId('pi');
  const methods = params.automatic_payment_methods ?? { enabled: true };
  const intent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: params.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { allow_redirects: methods.allow_redirects ?? 'always', enabled: methods.enabled },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: params.capture_method ?? 'automatic',
    client_secret: createClientSecret(id),
    confirmation_method: 'automatic',
    created: toUnixSeconds(work.now),
    currency: params.currency,
    customer: params.customer ?? null,
    customer_account: null,
    description: params.description ?? null,
    excluded_payment_method_types: null,
    ...(await createTaxHooks(work, params.hooks?.inputs.tax.calculation)),
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: mergeMetadata({}, params.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: params.receipt_email ?? null,
    review: null,
    setup_future_usage: null,
    shipping: params.shipping ? toStripeShipping(params.shipping) : null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.PaymentIntent;
  await insertObject(work, intent);
  await recordStripeEvent(work, 'payment_intent.created', intent);
  return intent;
}

/** Returns the intent; with `expand`, includes its charge and the charge's balance transaction. */
export async function readIntent(
  { tx }: OperationContext,
  id: string,
  { expand }: ReadIntent,
): Promise<Stripe.PaymentIntent> {
  const intent = await getObject(tx, 'payment_intent', id);
  if (!expand || typeof intent.latest_charge !== 'string') return intent;
  const charge = await getObject(tx, 'charge', intent.latest_charge);
  const { balance_transaction: booked } = charge;
  const transaction = typeof booked === 'string' ? await getObject(tx, 'balance_transaction', booked) : null;
  return { ...intent, latest_charge: { ...charge, balance_transaction: transaction } };
}

const openStatuses: readonly string[] = ['requires_payment_method', 'requires_confirmation'];

/**
 * Changes an intent. Amount, currency, customer and shipping can change only while the intent waits for a card. Text
 * and metadata can always change.
 */
export async function updateIntent(
  work: OperationContext,
  id: string,
  params: UpdateIntent,
): Promise<Stripe.PaymentIntent> {
  const { intent } = await lockIntent(work, id);
  const changedFixedField = (['amount', 'currency', 'customer', 'shipping'] as const).find(
    (name) => params[name] !== undefined,
  );
  if (changedFixedField && !openStatuses.includes(intent.status)) {
    throw unexpectedStateError(
      `This PaymentIntent's ${changedFixedField} could not be updated because it has a status of ${intent.status}. You may only update the ${changedFixedField} of a PaymentIntent with one of the following statuses: ${openStatuses.join(', ')}.`,
      intent,
    );
  }
  if (params.amount !== undefined) requireValidAmount(params.amount);
  await refuseUnknownCustomer(work, params.customer);
  const changedIntent: Stripe.PaymentIntent = {
    ...intent,
    amount: params.amount ?? intent.amount,
    currency: params.currency ?? intent.currency,
    customer: params.customer ?? intent.customer,
    description: params.description === undefined ? intent.description : params.description,
    receipt_email: params.receipt_email === undefined ? intent.receipt_email : params.receipt_email,
    shipping: params.shipping ? toStripeShipping(params.shipping) : intent.shipping,
    statement_descriptor_suffix:
      params.statement_descriptor_suffix === undefined
        ? intent.statement_descriptor_suffix
        : params.statement_descriptor_suffix,
    metadata: mergeMetadata(intent.metadata, params.metadata),
  };
  await saveObject(work, changedIntent);
  return changedIntent;
}

const cancelableStatuses: readonly string[] = [...openStatuses, 'requires_action', 'requires_capture'];

export async function cancelIntent(
  work: OperationContext,
  id: string,
  params: CancelIntent,
): Promise<Stripe.PaymentIntent> {
  const { intent } = await lockIntent(work, id);
  if (!cancelableStatuses.includes(intent.status)) {
    throw unexpectedStateError(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${cancelableStatuses.join(', ')}.`,
      intent,
    );
  }
  if (intent.status === 'requires_capture') await releaseCharge(work, intent);
  const canceledIntent: Stripe.PaymentIntent = {
    ...intent,
    status: 'canceled',
    amount_capturable: 0,
    canceled_at: toUnixSeconds(work.now),
    cancellation_reason: params.cancellation_reason ?? null,
    next_action: null,
  };
  await saveObject(work, canceledIntent);
  await recordStripeEvent(work, 'payment_intent.canceled', canceledIntent);
  return canceledIntent;
}

const publicFields = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const satisfies readonly (keyof Stripe.PaymentIntent)[];

/** The fields that a client secret gives access to: no metadata, no charge, no customer. */
export function toPublicIntent(intent: Stripe.PaymentIntent): Partial<Stripe.PaymentIntent> {
  return Object.fromEntries(publicFields.map((field) => [field, intent[field]]));
}

function requireValidAmount(amount: number) {
  const details = { param: 'amount' };
  if (amount < 1)
    throw createInvalidRequest('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      ...details,
    });
  if (amount < MIN_AMOUNT_CENTS)
    throw createInvalidRequest('Amount must be at least $0.50 usd', { code: 'amount_too_small', ...details });
  if (amount > MAX_AMOUNT_CENTS)
    throw createInvalidRequest('Amount must be no more than $999,999.99', { code: 'amount_too_large', ...details });
}

async function refuseUnknownCustomer(work: OperationContext, id: string | undefined) {
  if (id !== undefined && !(await findObject(work.tx, 'customer', id))) throw notFoundError('customer', id, 'customer');
}

export function toStripeShipping({
  name,
  phone,
  carrier,
  tracking_number,
  address,
}: NonNullable<CreateIntent['shipping']>) {
  return {
    name,
    phone: phone ?? null,
    carrier: carrier ?? null,
    tracking_number: tracking_number ?? null,
    address: toStripeAddress(address),
  };
}
