import type { PaymentIntent, StripeError } from '@stripe/stripe-js';
import type { PaymentAttemptResult } from './card-form.tsx';

/** Converts Stripe's error to a result. Throws if Stripe did not respond, because the card may have been charged. */
export function convertStripeError(error: StripeError): PaymentAttemptResult {
  // A field is missing or invalid. Stripe's Payment Element shows the error at its field.
  if (error.type === 'validation_error') return { outcome: 'incomplete' };
  if (error.type === 'api_connection_error' || error.type === 'api_error') throw new Error(error.message);
  if (error.code === 'payment_intent_unexpected_state' && error.payment_intent)
    return toPaymentResult(error.payment_intent);
  return { outcome: 'refused', words: error.message ?? 'Your card was declined.' };
}

export function toPaymentResult({ status }: Pick<PaymentIntent, 'status'>): PaymentAttemptResult {
  switch (status) {
    case 'succeeded':
    case 'processing':
      return { outcome: status };
    case 'requires_capture':
      return { outcome: 'succeeded' }; // only authorized; the shop captures the payment when it verifies it
    case 'requires_action':
      return { outcome: 'leaving' };
    case 'canceled':
      return { outcome: 'replaced' };
    default:
      return { outcome: 'unfinished' };
  }
}
