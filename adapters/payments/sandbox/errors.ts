/** Refusals with Stripe's messages, codes and format. */
import type { Stripe } from 'stripe';

export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  doc_url?: string;
  charge?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
}

export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly body: { error: ErrorBody };
  constructor(status: number, error: ErrorBody) {
    super(error.message);
    this.status = status;
    this.body = { error: withDocUrl(error) };
  }
}

/** Adds the URL of Stripe's documentation for the error code. */
export function withDocUrl(error: ErrorBody): ErrorBody {
  if (error.code === undefined) return error;
  return { ...error, doc_url: `https://stripe.com/docs/error-codes/${error.code.replaceAll('_', '-')}` };
}

export const createInvalidRequest = (message: string, details: Partial<ErrorBody> = {}, status = 400) =>
  new ApiError(status, { type: 'invalid_request_error', message, ...details });

export const notFoundError = (what: string, id: string, param = 'id') =>
  createInvalidRequest(`No such ${what}: '${id}'`, { code: 'resource_missing', param }, 404);

/** A transition that the intent's status does not allow. Stripe's error includes the current intent. */
export const unexpectedStateError = (message: string, intent: Stripe.PaymentIntent) =>
  createInvalidRequest(message, { code: 'payment_intent_unexpected_state', payment_intent: intent });

/** The error for card data that cannot be charged. It is detected before the payment changes. */
export const unusableCardError = (code: string, param: string, message: string, declineCode?: string) =>
  new ApiError(402, {
    type: 'card_error',
    code,
    param,
    message,
    ...(declineCode !== undefined && { decline_code: declineCode }),
  });
