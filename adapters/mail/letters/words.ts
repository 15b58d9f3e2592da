/** Amounts, days and names, as a letter says them. */

import { weekdayWords } from '#contract/calendar.ts';

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const enumeration = new Intl.ListFormat('en-US');
const countries = new Intl.DisplayNames('en-US', { type: 'region' });

/** $1,199.00, or −$10.00. Throws for anything that is not whole cents: a letter with a wrong amount is worse than a late one. */
export function money(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new TypeError(`not an amount in cents: ${cents}`);
  return dollars.format(cents / 100).replace('-', '−');
}

/** The same without a currency, for one that is not ours: 1,199.00. */
export const amount = (cents: number) => money(cents).replace('$', '');

/** Days as `2026-11-30`: between Monday, November 30 and Friday, December 4. */
export function dayRange(days: { from: string; to: string }): string {
  // A day is a day, whatever the zone of the moment it was written with.
  const [from, to] = [days.from, days.to].map((it) => weekdayWords(it.slice(0, 10)));
  return from === to ? `on ${from}` : `between ${from} and ${to}`;
}

export function listed(names: string[]): string {
  return enumeration.format(names);
}

/** 1 photo, 20 photos. */
export function count(amount: number, noun: string): string {
  if (!Number.isSafeInteger(amount)) throw new TypeError(`not a number of ${noun}s: ${amount}`);
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

export function country(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const known = countryNames.get(code);
  if (known) return known;
  const name = countries.of(code) ?? code;
  countryNames.set(code, name);
  return name;
}
/** Looking a name up is slow, and there are few. */
const countryNames = new Map<string, string>();

/**
 * Whether words of a stranger may stand in a letter that the stranger can have sent to anyone: no links, no addresses,
 * no telephone numbers, so that our letters carry nobody's advertisement.
 */
export function isHarmless(text: string, maxLength: number): boolean {
  return text.length <= maxLength && !/[/\\:@]|\w\.[a-z]{2,}|\d[\d\s().-]{5,}\d/i.test(text);
}

/** Hello Anna, */
export function greeting(name: string | undefined): string {
  return name && isHarmless(name, 40) ? `Hello ${name},` : 'Hello,';
}

export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
