/** Formats amounts, days and names for emails. */

import { weekdayText } from '#contract/calendar.ts';
import { looksLikeLink } from '#contract/link-like.ts';

const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const listFormat = new Intl.ListFormat('en-US');
const countryDisplayNames = new Intl.DisplayNames('en-US', { type: 'region' });

/**
 * Formats cents as $1,199.00 or −$10.00. Throws unless the amount is whole cents, because a late email is better than
 * an email with a wrong amount.
 */
export function formatEmailAmount(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new TypeError(`not an amount in cents: ${cents}`);
  return dollarFormat.format(cents / 100).replace('-', '−');
}

/** Formats cents without the currency sign, for amounts in other currencies: 1,199.00. */
export const formatAmountWithoutCurrency = (cents: number) => formatEmailAmount(cents).replace('$', '');

/** Formats two days, each given as `2026-11-30`: between Monday, November 30 and Friday, December 4. */
export function formatDayRange(days: { from: string; to: string }): string {
  // Uses only the date, so that a time zone cannot change the day.
  const [from, to] = [days.from, days.to].map((it) => weekdayText(it.slice(0, 10)));
  return from === to ? `on ${from}` : `between ${from} and ${to}`;
}

export function joinWithAnd(names: string[]): string {
  return listFormat.format(names);
}

/** Formats a number with its noun: 1 photo, 20 photos. */
export function mailCountText(amount: number, noun: string): string {
  if (!Number.isSafeInteger(amount)) throw new TypeError(`not a number of ${noun}s: ${amount}`);
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

export function formatCountryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const existingCountryName = countryNames.get(code);
  if (existingCountryName) return existingCountryName;
  const name = countryDisplayNames.of(code) ?? code;
  countryNames.set(code, name);
  return name;
}
/** Cached: looking a name up is slow, and there are few names. */
const countryNames = new Map<string, string>();

/**
 * Whether text from a stranger may appear in an email that the stranger can send to anyone. The text must be short and
 * must not contain a link, an address or a phone number. Otherwise the stranger could send advertising in the shop's
 * name.
 */
export function isHarmlessText(text: string, maxLength: number): boolean {
  return text.length <= maxLength && !looksLikeLink(text);
}

/** Returns `Hello Anna,`, or `Hello,` if the name is missing or not harmless. */
export function formatGreeting(name: string | undefined): string {
  return name && isHarmlessText(name, 40) ? `Hello ${name},` : 'Hello,';
}

export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
