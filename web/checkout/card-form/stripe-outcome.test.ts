import type { StripeError } from '@stripe/stripe-js';
import { expect, test } from 'vitest';
import { toPaymentResult, convertStripeError } from './stripe-outcome.ts';

const createStripeError = (given: Partial<StripeError>) => given as StripeError;

test('convertStripeError returns refused with the provider’s message when the card is declined', () => {
  const declinedError = createStripeError({
    type: 'card_error',
    code: 'card_declined',
    message: 'Your card has no funds.',
  });
  expect(convertStripeError(declinedError)).toEqual({ outcome: 'refused', words: 'Your card has no funds.' });
});

test('convertStripeError returns incomplete, without a message, when fields are missing: the form shows the errors', () => {
  expect(convertStripeError(createStripeError({ type: 'validation_error' }))).toEqual({ outcome: 'incomplete' });
});

test('convertStripeError returns succeeded when the intent was already paid', () => {
  const alreadyPaidError = createStripeError({
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    payment_intent: { status: 'succeeded' } as NonNullable<StripeError['payment_intent']>,
  });
  expect(convertStripeError(alreadyPaidError)).toEqual({ outcome: 'succeeded' });
});

test('toPaymentResult returns succeeded for an authorized payment, because the shop then captures or releases it', () => {
  expect(toPaymentResult({ status: 'requires_capture' })).toEqual({ outcome: 'succeeded' });
});

test.each(['api_connection_error', 'api_error'] as const)(
  'throws after an %s, because the card may have been charged',
  (type) => {
    expect(() =>
      convertStripeError(createStripeError({ type, message: 'We are experiencing issues connecting.' })),
    ).toThrow('connecting');
  },
);
