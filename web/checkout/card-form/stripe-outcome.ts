import type { PaymentIntent, StripeError } from '@stripe/stripe-js';
import type { Confirmed } from './card-form.tsx';

/** Stripe's no. Throws where there was no answer: the card may have been charged all the same. */
export function refusalOf(error: StripeError): Confirmed {
  // The element itself shows what is missing in its fields.
  if (error.type === 'validation_error') return { outcome: 'incomplete' };
  if (error.type === 'api_connection_error' || error.type === 'api_error') throw new Error(error.message);
  if (error.code === 'payment_intent_unexpected_state' && error.payment_intent) return outcomeOf(error.payment_intent);
  return { outcome: 'refused', words: error.message ?? 'Your card was declined.' };
}

export function outcomeOf({ status }: Pick<PaymentIntent, 'status'>): Confirmed {
  switch (status) {
    case 'succeeded':
    case 'processing':
      return { outcome: status };
    case 'requires_action':
      return { outcome: 'leaving' };
    case 'canceled':
      return { outcome: 'replaced' };
    default:
      return { outcome: 'unfinished' };
  }
}
