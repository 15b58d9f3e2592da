import { sql } from 'drizzle-orm';
import { bigint, date, index, pgTable, text } from 'drizzle-orm/pg-core';

const tally = (name: string) =>
  bigint(name, { mode: 'number' })
    .notNull()
    .default(sql`0`);
/** Of the shop's calendar: 2026-12-24. */
const day = () => date('day').notNull();

/**
 * What the stat cards show is the sum of these rows. Triggers on the tables of orders, uploads and customers (migration
 * 0007) add a row for each change, in its transaction.
 */
export const tallies = pgTable('tallies', {
  orders: tally('orders'),
  /** What was paid, less what was given back. */
  revenueCents: tally('revenue_cents'),
  uploads: tally('uploads'),
  customers: tally('customers'),
});

/** The same by day, for the owner's analytics (triggers of migration 0027). A day's figure is the sum of its rows. */
export const dayTallies = pgTable(
  'day_tallies',
  {
    day: day(),
    /** Paid on that day. */
    orders: tally('orders'),
    revenueCents: tally('revenue_cents'),
    /** Of them those with frames of their own, and how many of these have photos finalized and all videos delivered by now. */
    frameOrders: tally('frame_orders'),
    finalized: tally('finalized'),
    delivered: tally('delivered'),
    /** Given back on that day, whenever it was paid. */
    refundedCents: tally('refunded_cents'),
  },
  (table) => [index('day_tallies_day').on(table.day)],
);

/**
 * What orders brought and cost, by the day they were paid, whenever that came (triggers of migration 0029): so a month is
 * the sum of its orders.
 */
export const marginTallies = pgTable(
  'margin_tallies',
  {
    day: day(),
    orders: tally('orders'),
    paidCents: tally('paid_cents'),
    refundedCents: tally('refunded_cents'),
    /** Taken back by banks. */
    disputedCents: tally('disputed_cents'),
    /** Sales tax of what was not given back: it is not the shop's. */
    taxCents: tally('tax_cents'),
    /** Frames and parcels sent or to be sent. */
    frames: tally('frames'),
    parcels: tally('parcels'),
    /** How many of their fees are known, and what these come to. */
    fees: tally('fees'),
    feeCents: tally('fee_cents'),
  },
  (table) => [index('margin_tallies_day').on(table.day)],
);

/** Videos that were ordered for money for the orders of a day, by animator. */
export const videoTallies = pgTable(
  'video_tallies',
  { day: day(), animator: text('animator').notNull(), videos: tally('videos'), cents: tally('cents') },
  (table) => [index('video_tallies_day').on(table.day, table.animator)],
);

export const pageTallies = pgTable(
  'page_tallies',
  { day: day(), pagePath: text('page_path').notNull(), views: tally('views') },
  (table) => [index('page_tallies_day').on(table.day, table.pagePath)],
);

/** Orders that a promotion's code was used for; codes in upper case. */
export const codeTallies = pgTable(
  'code_tallies',
  { day: day(), code: text('code').notNull(), uses: tally('uses'), discountCents: tally('discount_cents') },
  (table) => [index('code_tallies_day').on(table.day, table.code)],
);
