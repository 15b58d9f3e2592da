/**
 * The behavior of each test card. The full card number is used only here: later code gets the brand and the last four
 * digits.
 */
import { unusableCardError } from './errors.ts';
import type { CardInput } from './parameters.ts';
import { testCards } from './test-cards.ts';

/** Why a bank declines, in Stripe's terms. */
export interface CardDecline {
  code: 'card_declined' | 'expired_card' | 'incorrect_cvc';
  declineCode: string;
  message: string;
  param?: string;
}
export type CardBehavior =
  | { kind: 'pays' }
  | { kind: 'authenticates' }
  | { kind: 'processes' }
  | { kind: 'declines'; decline: CardDecline };

export interface SandboxCard {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  isCvcGiven: boolean;
  behavior: CardBehavior;
}

const createDeclinedCard = (decline: CardDecline): CardBehavior => ({ kind: 'declines', decline });

const behaviors = new Map<string, CardBehavior>([
  [testCards.pays, { kind: 'pays' }],
  [testCards.authenticates, { kind: 'authenticates' }],
  [testCards.processes, { kind: 'processes' }],
  [
    testCards.declines,
    createDeclinedCard({ code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' }),
  ],
  [
    testCards.insufficientFunds,
    createDeclinedCard({
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    }),
  ],
  [
    testCards.expired,
    createDeclinedCard({
      code: 'expired_card',
      declineCode: 'expired_card',
      message: 'Your card has expired.',
      param: 'exp_month',
    }),
  ],
  [
    testCards.wrongCvc,
    createDeclinedCard({
      code: 'incorrect_cvc',
      declineCode: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
      param: 'cvc',
    }),
  ],
]);

/** Reads a card's data. Throws Stripe's error for data that can never be charged. */
export function readCard(input: CardInput, now: Date): SandboxCard {
  const number = input.number.replace(/[\s-]/g, '');
  const behavior = behaviors.get(number);
  if (!behavior) throw unusableCardError('card_declined', 'number', 'Use a test card', 'test_mode_live_card');
  const { expMonth, expYear } = readExpiry(input, now);
  if (input.cvc !== undefined && !/^\d{3,4}$/.test(input.cvc)) {
    throw unusableCardError('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
  return { brand: 'visa', last4: number.slice(-4), expMonth, expYear, isCvcGiven: input.cvc !== undefined, behavior };
}

/** Reads the expiry date. A card is valid until the end of its month. A card without an expiry date counts as valid. */
function readExpiry(input: CardInput, now: Date): { expMonth: number; expYear: number } {
  const thisYear = now.getUTCFullYear();
  const expMonth = input.exp_month ?? 12;
  const expYear = input.exp_year === undefined ? thisYear + 4 : toFullYear(input.exp_year);
  if (expYear < thisYear || expYear > thisYear + 50) {
    throw unusableCardError('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  if (expMonth < 1 || expMonth > 12 || (expYear === thisYear && expMonth < now.getUTCMonth() + 1)) {
    throw unusableCardError('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  }
  return { expMonth, expYear };
}

const toFullYear = (year: number) => (year >= 0 && year < 100 ? 2000 + year : year);
