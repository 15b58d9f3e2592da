import { formatDollars } from '#contract/catalog.ts';

/** Formats whole dollars, without decimals. */
const wholeDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
/** Formats cents as dollars. Omits the decimals of a whole-dollar amount. */
export const formatShortDollars = (cents: number) =>
  cents % 100 === 0 ? wholeDollars.format(cents / 100) : `${cents < 0 ? '-' : ''}${formatDollars(Math.abs(cents))}`;
