import type { StripeError } from '@stripe/stripe-js';
import { expect, test } from 'vitest';
import { outcomeOf, refusalOf } from './stripe-outcome.ts';

const createStripeError = (given: Partial<StripeError>) => given as StripeError;

test('refusalOf returns refused with the provider’s message when the card is declined', () => {
  const declinedError = createStripeError({
    type: 'card_error',
    code: 'card_declined',
    message: 'Your card has no funds.',
  });
  expect(refusalOf(declinedError)).toEqual({ outcome: 'refused', words: 'Your card has no funds.' });
});

test('refusalOf returns incomplete, without a message, when fields are missing: the form shows the errors', () => {
  expect(refusalOf(createStripeError({ type: 'validation_error' }))).toEqual({ outcome: 'incomplete' });
});

test('refusalOf returns succeeded when the intent was already paid', () => {
  const alreadyPaidError = createStripeError({
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    payment_intent: { status: 'succeeded' } as NonNullable<StripeError['payment_intent']>,
  });
  expect(refusalOf(alreadyPaidError)).toEqual({ outcome: 'succeeded' });
});

test('outcomeOf returns succeeded for an authorized payment, because the shop then captures or releases it', () => {
  expect(outcomeOf({ status: 'requires_capture' })).toEqual({ outcome: 'succeeded' });
});

test.each(['api_connection_error', 'api_error'] as const)(
  'throws after an %s, because the card may have been charged',
  (type) => {
    expect(() => refusalOf(createStripeError({ type, message: 'We are experiencing issues connecting.' }))).toThrow(
      'connecting',
    );
  },
);
