import { money } from '#contract/catalog.ts';

/** Whole dollars along an axis. */
const wholeDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
/** Cents, without those where there are none. */
export const dollars = (cents: number) =>
  cents % 100 === 0 ? wholeDollars.format(cents / 100) : `${cents < 0 ? '-' : ''}${money(Math.abs(cents))}`;
