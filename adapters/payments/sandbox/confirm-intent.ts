/** Pays intents: the result of each card, immediate or delayed. Every step locks the intent first. */
import { and, isNotNull, lte } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import type { Db } from '#shop/ports/database.ts';
import { readCard, type CardDecline } from './cards.ts';
import { recordChargeBalance, createCharge } from './charges.ts';
import { withDocUrl, createInvalidRequest, unexpectedStateError, type ErrorBody } from './errors.ts';
import { recordStripeEvent } from './events.ts';
import type { ConfirmIntent } from './parameters.ts';
import { createPaymentMethod } from './payment-methods.ts';
import { toStripeShipping } from './payment-intents.ts';
import { sandboxObjects } from './sandbox.sql.ts';
import { recordTax } from './tax.ts';
import { getObject, lockIntent, saveObject, type OperationContext } from './store.ts';

export interface PayingRules {
  /** The only origin that a buyer can return to. */
  shopOrigin: string;
  /** URL of the authentication page. */
  authenticationUrl: string;
  processingSeconds: number;
}
export interface HttpResponse {
  status: number;
  body: unknown;
}

const confirmableStatuses: readonly string[] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export async function confirmIntent(
  work: OperationContext,
  id: string,
  params: ConfirmIntent,
  rules: PayingRules,
): Promise<HttpResponse> {
  const { intent: stored } = await lockIntent(work, id);
  const intent = withWalletAddress(stored, params);
  if (!confirmableStatuses.includes(intent.status))
    throw unexpectedStateError(notConfirmableText(intent.status), intent);
  if (!params.payment_method_data) {
    throw unexpectedStateError(
      "You cannot confirm this PaymentIntent because it's missing a payment method. Send payment_method_data.",
      intent,
    );
  }
  const returnUrl = params.return_url === undefined ? null : checkReturnUrl(params.return_url, rules.shopOrigin);
  const card = readCard(params.payment_method_data.card, work.now);
  const method = await createPaymentMethod(work, intent, card, params.payment_method_data.billing_details);

  switch (card.behavior.kind) {
    case 'pays':
      return createOkResponse(await confirmImmediatePayment(work, intent, method));
    case 'processes':
      return createOkResponse(await confirmDelayedPayment(work, intent, method, rules.processingSeconds));
    case 'authenticates':
      return createOkResponse(await requireAuthentication(work, intent, method, returnUrl, rules.authenticationUrl));
    case 'declines':
      return declineIntent(work, intent, method, card.behavior.decline);
  }
}

/**
 * Adds the address of a wallet to an intent. Like Stripe, refuses it if the shop has given the provider an address: what
 * was set with the secret key cannot be changed with the publishable key. The shop makes a new intent for each payment
 * by a wallet.
 */
function withWalletAddress(intent: Stripe.PaymentIntent, { shipping }: ConfirmIntent): Stripe.PaymentIntent {
  if (!shipping) return intent;
  if (intent.shipping) {
    throw createInvalidRequest(
      'The shipping information on this PaymentIntent was last set with a secret key and therefore cannot be changed with a publishable key. Please use your secret key instead.',
      { code: 'payment_intent_invalid_parameter', param: 'shipping', payment_intent: intent },
    );
  }
  return { ...intent, shipping: toStripeShipping(shipping) };
}

/**
 * Applies the buyer's decision from the authentication page. Returns the intent unchanged if it does not wait for a
 * decision.
 */
export async function finishAuthentication(
  work: OperationContext,
  id: string,
  isApproved: boolean,
): Promise<Stripe.PaymentIntent> {
  const { intent } = await lockIntent(work, id);
  if (intent.status !== 'requires_action' || typeof intent.payment_method !== 'string') return intent;
  const method = await getObject(work.tx, 'payment_method', intent.payment_method);
  if (isApproved) return confirmImmediatePayment(work, intent, method);
  return saveFailedAttempt(work, intent, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: method,
  });
}

/** Returns the payments whose processing time is over. Without `dueBy`, returns all payments that are processing. */
export async function listProcessingIntents(db: Db, dueBy?: Date): Promise<string[]> {
  const rows = await db
    .select({ id: sandboxObjects.id })
    .from(sandboxObjects)
    .where(and(isNotNull(sandboxObjects.dueAt), dueBy && lte(sandboxObjects.dueAt, dueBy)))
    .orderBy(sandboxObjects.dueAt);
  return rows.map((row) => row.id);
}

/** Applies the bank's delayed approval. A second call finds the payment settled and does nothing. */
export async function settleProcessing(work: OperationContext, id: string): Promise<void> {
  const { intent } = await lockIntent(work, id);
  if (intent.status !== 'processing' || typeof intent.latest_charge !== 'string') return;
  const pendingCharge = await getObject(work.tx, 'charge', intent.latest_charge);
  await completePayment(work, intent, { ...pendingCharge, status: 'succeeded', paid: true });
}

/** Captures the full amount that a bank has authorized. */
export async function captureIntent(work: OperationContext, id: string): Promise<Stripe.PaymentIntent> {
  const { intent } = await lockIntent(work, id);
  if (intent.status !== 'requires_capture' || typeof intent.latest_charge !== 'string') {
    throw unexpectedStateError(
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
      intent,
    );
  }
  const authorizedCharge = await getObject(work.tx, 'charge', intent.latest_charge);
  return succeedIntent(work, intent, { ...authorizedCharge, captured: true }, 'charge.captured');
}

// ---------------------------------------------------------------- outcomes

async function confirmImmediatePayment(
  work: OperationContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
) {
  return completePayment(work, intent, await createCharge(work, intent, method, { status: 'succeeded' }));
}

const completePayment = (work: OperationContext, intent: Stripe.PaymentIntent, charge: Stripe.Charge) =>
  intent.capture_method === 'manual' ? authorizeIntent(work, intent, charge) : succeedIntent(work, intent, charge);

/** Authorizes a payment: the bank has approved it, and the money moves when the shop captures it. */
async function authorizeIntent(work: OperationContext, intent: Stripe.PaymentIntent, charge: Stripe.Charge) {
  await saveObject(work, charge);
  const authorizedIntent: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_capture',
    amount_capturable: charge.amount,
    latest_charge: charge.id,
    payment_method: charge.payment_method,
    last_payment_error: null,
    next_action: null,
    processing: null,
  };
  await saveObject(work, authorizedIntent, { dueAt: null });
  await recordStripeEvent(work, 'charge.succeeded', charge);
  await recordStripeEvent(work, 'payment_intent.amount_capturable_updated', authorizedIntent);
  return authorizedIntent;
}

async function succeedIntent(
  work: OperationContext,
  intent: Stripe.PaymentIntent,
  captured: Stripe.Charge,
  event: 'charge.succeeded' | 'charge.captured' = 'charge.succeeded',
): Promise<Stripe.PaymentIntent> {
  const charge = await recordChargeBalance(work, { ...captured, amount_captured: captured.amount });
  const paidIntent: Stripe.PaymentIntent = {
    ...intent,
    status: 'succeeded',
    amount_capturable: 0,
    amount_received: charge.amount,
    latest_charge: charge.id,
    payment_method: charge.payment_method,
    last_payment_error: null,
    next_action: null,
    processing: null,
  };
  await saveObject(work, paidIntent, { dueAt: null });
  await recordTax(work, paidIntent);
  await recordStripeEvent(work, event, charge);
  await recordStripeEvent(work, 'payment_intent.succeeded', paidIntent);
  return paidIntent;
}

async function confirmDelayedPayment(
  work: OperationContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  afterSeconds: number,
) {
  const charge = await createCharge(work, intent, method, { status: 'pending' });
  const processingIntent: Stripe.PaymentIntent = {
    ...intent,
    status: 'processing',
    latest_charge: charge.id,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
    processing: { type: 'card', card: {} },
  };
  await saveObject(work, processingIntent, { dueAt: new Date(work.now.getTime() + afterSeconds * 1000) });
  await recordStripeEvent(work, 'charge.pending', charge);
  await recordStripeEvent(work, 'payment_intent.processing', processingIntent);
  return processingIntent;
}

async function requireAuthentication(
  work: OperationContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  returnUrl: string | null,
  authenticationUrl: string,
) {
  const url = new URL(`${authenticationUrl}/${intent.id}`);
  url.searchParams.set('client_secret', intent.client_secret ?? '');
  const challenged: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_action',
    payment_method: method.id,
    last_payment_error: null,
    next_action: { type: 'redirect_to_url', redirect_to_url: { url: url.href, return_url: returnUrl } },
  };
  await saveObject(work, challenged, { returnUrl });
  await recordStripeEvent(work, 'payment_intent.requires_action', challenged);
  return challenged;
}

async function declineIntent(
  work: OperationContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { code, declineCode, message, param }: CardDecline,
): Promise<HttpResponse> {
  const outcome = { status: 'failed', decline: { code, declineCode, message } } as const;
  const charge = await createCharge(work, intent, method, outcome);
  await recordStripeEvent(work, 'charge.failed', charge);
  const error = withDocUrl({
    type: 'card_error',
    code,
    decline_code: declineCode,
    message,
    charge: charge.id,
    payment_method: method,
    ...(param !== undefined && { param }),
  });
  const openIntent = await saveFailedAttempt(work, { ...intent, latest_charge: charge.id }, error);
  return { status: 402, body: { error: { ...error, payment_intent: openIntent } } };
}

/** Records a failed attempt and resets the intent, so that another card can be tried. */
async function saveFailedAttempt(
  work: OperationContext,
  intent: Stripe.PaymentIntent,
  error: ErrorBody,
): Promise<Stripe.PaymentIntent> {
  const openIntent: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: withDocUrl(error),
    next_action: null,
  };
  await saveObject(work, openIntent);
  await recordStripeEvent(work, 'payment_intent.payment_failed', openIntent);
  return openIntent;
}

const createOkResponse = (body: unknown): HttpResponse => ({ status: 200, body });

// ---------------------------------------------------------------- refusals

function notConfirmableText(status: string): string {
  if (status === 'succeeded') {
    return 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.';
  }
  return `You cannot confirm this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${confirmableStatuses.join(', ')}.`;
}

function checkReturnUrl(given: string, shopOrigin: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.origin !== shopOrigin || url.username !== '') {
    throw createInvalidRequest("The return_url must be an address of the shop's own origin.", {
      code: 'url_invalid',
      param: 'return_url',
    });
  }
  return url.href;
}
