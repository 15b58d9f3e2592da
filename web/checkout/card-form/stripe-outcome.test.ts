import type { StripeError } from '@stripe/stripe-js';
import { expect, test } from 'vitest';
import { refusalOf } from './stripe-outcome.ts';

const error = (given: Partial<StripeError>) => given as StripeError;

test('a decline is a refusal in the words of the provider', () => {
  const declined = error({ type: 'card_error', code: 'card_declined', message: 'Your card has no funds.' });
  expect(refusalOf(declined)).toEqual({ outcome: 'refused', words: 'Your card has no funds.' });
});

test('what is missing in its fields the form says itself', () => {
  expect(refusalOf(error({ type: 'validation_error' }))).toEqual({ outcome: 'incomplete' });
});

test('an intent that was paid or replaced meanwhile is told by its own state', () => {
  const paid = error({
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    payment_intent: { status: 'succeeded' } as NonNullable<StripeError['payment_intent']>,
  });
  expect(refusalOf(paid)).toEqual({ outcome: 'succeeded' });
});

test.each(['api_connection_error', 'api_error'] as const)(
  'after an %s nobody knows whether the card was charged',
  (type) => {
    expect(() => refusalOf(error({ type, message: 'We are experiencing issues connecting.' }))).toThrow('connecting');
  },
);
