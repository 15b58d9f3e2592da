/**
 * Formats the fields of a card and checks them. Most error messages are the same as in Stripe's own form. The message
 * about an unknown card number is the sandbox's.
 */

import { toShopMonth, toShopYear } from '#contract/calendar.ts';

interface Brand {
  name: string;
  pattern: RegExp;
  lengths: number[];
  /** The positions of the spaces, counted in digits. */
  groups: number[];
  cvcLength: number;
}
const groupsOfFour = [4, 8, 12, 16];
const unknownBrand: Brand = { name: '', pattern: /^/, lengths: [16], groups: groupsOfFour, cvcLength: 3 };
const brands: Brand[] = [
  { name: 'Visa', pattern: /^4/, lengths: [13, 16, 19], groups: groupsOfFour, cvcLength: 3 },
  { name: 'Mastercard', pattern: /^(5[1-5]|2[2-7])/, lengths: [16], groups: groupsOfFour, cvcLength: 3 },
  { name: 'Amex', pattern: /^3[47]/, lengths: [15], groups: [4, 10], cvcLength: 4 },
  { name: 'Discover', pattern: /^(6011|64[4-9]|65)/, lengths: [16, 19], groups: groupsOfFour, cvcLength: 3 },
  { name: 'Diners', pattern: /^3(0[0-5]|[689])/, lengths: [14, 16, 19], groups: [4, 10], cvcLength: 3 },
  { name: 'JCB', pattern: /^35/, lengths: [16, 19], groups: groupsOfFour, cvcLength: 3 },
  { name: 'UnionPay', pattern: /^62/, lengths: [16, 17, 18, 19], groups: groupsOfFour, cvcLength: 3 },
];

export const findCardBrand = (digits: string): Brand => brands.find((it) => it.pattern.test(digits)) ?? unknownBrand;
export const extractDigits = (text: string) => text.replaceAll(/\D/g, '');

/** Formats 4242424242424242 as 4242 4242 4242 4242, and an American Express number as 3782 822463 10005. */
export function formatCardNumber(text: string): string {
  const digits = extractDigits(text).slice(0, 19);
  const { groups, lengths } = findCardBrand(digits);
  const mostDigits = Math.max(...lengths);
  const groupEnds = [0, ...groups.filter((it) => it < mostDigits), mostDigits];
  return groupEnds
    .slice(1)
    .map((end, index) => digits.slice(groupEnds[index], end))
    .filter(Boolean)
    .join(' ');
}

/** Formats 1227 as 12 / 27, and 7 as 07 /. The browser's autofill enters 12/2027, which becomes 12 / 27. */
export function formatExpiry(text: string, previous = ''): string {
  const autofilledExpiry = /^\s*(\d{1,2})\s*[/-]\s*(?:20)?(\d{2})\s*$/.exec(text);
  if (autofilledExpiry) return `${autofilledExpiry[1]!.padStart(2, '0')} / ${autofilledExpiry[2]}`;
  // If the user deletes the slash, delete the digit before it too. Otherwise the slash would appear again.
  const isDeletingSlash = previous.endsWith(' / ') && previous.startsWith(text) && text.length < previous.length;
  const rawDigits = extractDigits(text);
  const digits = (
    isDeletingSlash
      ? rawDigits.slice(0, -1)
      : /^[2-9]/.test(rawDigits) || /^\s*\d\s*\//.test(text)
        ? `0${rawDigits}`
        : rawDigits
  ).slice(0, 4);
  return digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export interface CardTexts {
  number: string;
  expiry: string;
  cvc: string;
}
export type CardMistakes = Partial<Record<keyof CardTexts, string>>;

/** The sandbox's message for an unknown card. It is also used for numbers that no card can have. */
const notATestCard = 'Use a test card';

/** Returns the error of each invalid field. A card with errors is not sent to the sandbox. */
export function findCardMistakes({ number, expiry, cvc }: CardTexts, now: Date): CardMistakes {
  const digits = extractDigits(number);
  const { lengths, cvcLength } = findCardBrand(digits);
  const mistakes: CardMistakes = {};
  if (digits.length < Math.min(...lengths)) mistakes.number = 'Your card number is incomplete.';
  else if (!lengths.includes(digits.length) || !passesLuhn(digits)) mistakes.number = notATestCard;
  const wrongExpiry = findExpiryMistake(expiry, now);
  if (wrongExpiry) mistakes.expiry = wrongExpiry;
  if (extractDigits(cvc).length < cvcLength) mistakes.cvc = "Your card's security code is incomplete.";
  return mistakes;
}

function findExpiryMistake(expiry: string, now: Date): string | undefined {
  const digits = extractDigits(expiry);
  if (digits.length < 4) return "Your card's expiration date is incomplete.";
  const month = Number(digits.slice(0, 2));
  const year = 2000 + Number(digits.slice(2));
  if (month < 1 || month > 12) return "Your card's expiration date is invalid.";
  const thisYear = toShopYear(now);
  if (year < thisYear) return "Your card's expiration year is in the past.";
  if (year === thisYear && month < toShopMonth(now)) return "Your card's expiration date is in the past.";
  if (year > thisYear + 50) return "Your card's expiration date is invalid.";
}

/** Whether the check digit of a card number is correct. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const doubledDigit = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += doubledDigit > 9 ? doubledDigit - 9 : doubledDigit;
  }
  return sum % 10 === 0;
}

/**
 * Returns the caret position after `digitCount` digits of the formatted text. Without this, editing a digit in the
 * middle would move the caret to the end.
 */
export function caretAfterDigits(formatted: string, digitCount: number): number {
  if (digitCount === 0) return 0;
  let seen = 0;
  for (let at = 0; at < formatted.length; at++) {
    if (/\d/.test(formatted[at]!)) seen += 1;
    if (seen === digitCount) {
      // At the end of the input, move past the space or slash that follows.
      const textAfterCaret = formatted.slice(at + 1);
      return /\d/.test(textAfterCaret) ? at + 1 : formatted.length;
    }
  }
  return formatted.length;
}
