/** Card fields as people type them: grouping, brand, and what is wrong, in the words of Stripe's own form and, for the
 * number, of the sandbox. */

import { monthOf, yearOf } from '#contract/calendar.ts';

interface Brand {
  name: string;
  pattern: RegExp;
  lengths: number[];
  /** Where the spaces stand. */
  groups: number[];
  cvcLength: number;
}
const byFours = [4, 8, 12, 16];
const unknownBrand: Brand = { name: '', pattern: /^/, lengths: [16], groups: byFours, cvcLength: 3 };
const brands: Brand[] = [
  { name: 'Visa', pattern: /^4/, lengths: [13, 16, 19], groups: byFours, cvcLength: 3 },
  { name: 'Mastercard', pattern: /^(5[1-5]|2[2-7])/, lengths: [16], groups: byFours, cvcLength: 3 },
  { name: 'Amex', pattern: /^3[47]/, lengths: [15], groups: [4, 10], cvcLength: 4 },
  { name: 'Discover', pattern: /^(6011|64[4-9]|65)/, lengths: [16, 19], groups: byFours, cvcLength: 3 },
  { name: 'Diners', pattern: /^3(0[0-5]|[689])/, lengths: [14, 16, 19], groups: [4, 10], cvcLength: 3 },
  { name: 'JCB', pattern: /^35/, lengths: [16, 19], groups: byFours, cvcLength: 3 },
  { name: 'UnionPay', pattern: /^62/, lengths: [16, 17, 18, 19], groups: byFours, cvcLength: 3 },
];

export const brandOf = (digits: string): Brand => brands.find((it) => it.pattern.test(digits)) ?? unknownBrand;
export const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

/** 4242424242424242 is 4242 4242 4242 4242, and an American Express is 3782 822463 10005. */
export function formatCardNumber(text: string): string {
  const digits = digitsOf(text).slice(0, 19);
  const { groups, lengths } = brandOf(digits);
  const most = Math.max(...lengths);
  const cuts = [0, ...groups.filter((it) => it < most), most];
  return cuts
    .slice(1)
    .map((end, index) => digits.slice(cuts[index], end))
    .filter(Boolean)
    .join(' ');
}

/** 1227 is 12 / 27, 7 is 07 /, and what a browser fills in as 12/2027 is 12 / 27. */
export function formatExpiry(text: string, previous = ''): string {
  const filled = /^\s*(\d{1,2})\s*[/-]\s*(?:20)?(\d{2})\s*$/.exec(text);
  if (filled) return `${filled[1]!.padStart(2, '0')} / ${filled[2]}`;
  // Deleting the slash deletes the digit before it, or it would grow back.
  const isDeletingSlash = previous.endsWith(' / ') && previous.startsWith(text) && text.length < previous.length;
  const raw = digitsOf(text);
  const digits = (
    isDeletingSlash ? raw.slice(0, -1) : /^[2-9]/.test(raw) || /^\s*\d\s*\//.test(text) ? `0${raw}` : raw
  ).slice(0, 4);
  return digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export interface CardTexts {
  number: string;
  expiry: string;
  cvc: string;
}
export type CardMistakes = Partial<Record<keyof CardTexts, string>>;

/** The sandbox's own words for a number no test card has: one that cannot be anybody's is none either. */
const notATestCard = 'Use a test card';

/** What keeps these texts from being sent to the sandbox. */
export function cardMistakes({ number, expiry, cvc }: CardTexts, now: Date): CardMistakes {
  const digits = digitsOf(number);
  const { lengths, cvcLength } = brandOf(digits);
  const mistakes: CardMistakes = {};
  if (digits.length < Math.min(...lengths)) mistakes.number = 'Your card number is incomplete.';
  else if (!lengths.includes(digits.length) || !passesLuhn(digits)) mistakes.number = notATestCard;
  const wrongExpiry = expiryMistake(expiry, now);
  if (wrongExpiry) mistakes.expiry = wrongExpiry;
  if (digitsOf(cvc).length < cvcLength) mistakes.cvc = "Your card's security code is incomplete.";
  return mistakes;
}

function expiryMistake(expiry: string, now: Date): string | undefined {
  const digits = digitsOf(expiry);
  if (digits.length < 4) return "Your card's expiration date is incomplete.";
  const month = Number(digits.slice(0, 2));
  const year = 2000 + Number(digits.slice(2));
  if (month < 1 || month > 12) return "Your card's expiration date is invalid.";
  const thisYear = yearOf(now);
  if (year < thisYear) return "Your card's expiration year is in the past.";
  if (year === thisYear && month < monthOf(now)) return "Your card's expiration date is in the past.";
  if (year > thisYear + 50) return "Your card's expiration date is invalid.";
}

/** The check digit every card number carries. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Where the caret belongs in the formatted text, so that correcting a digit in the middle does not throw it to the end. */
export function caretAfterDigits(formatted: string, digitCount: number): number {
  if (digitCount === 0) return 0;
  let seen = 0;
  for (let at = 0; at < formatted.length; at++) {
    if (/\d/.test(formatted[at]!)) seen += 1;
    if (seen === digitCount) {
      // Past the space or slash that follows, when it is the end of what is typed.
      const rest = formatted.slice(at + 1);
      return /\d/.test(rest) ? at + 1 : formatted.length;
    }
  }
  return formatted.length;
}
