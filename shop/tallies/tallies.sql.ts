import { sql } from 'drizzle-orm';
import { bigint, date, index, pgTable, text } from 'drizzle-orm/pg-core';

const tallyTable = (name: string) =>
  bigint(name, { mode: 'number' })
    .notNull()
    .default(sql`0`);
/** A day in the shop's calendar, such as 2026-12-24. */
const dayColumn = () => date('day').notNull();

/**
 * The counters of the stat cards, which show the sums of these rows. Triggers on the tables of orders, uploads and
 * customers (migration 0007) add a row for each change, in the same transaction.
 */
export const tallies = pgTable('tallies', {
  orders: tallyTable('orders'),
  /** Payments minus refunds. */
  revenueCents: tallyTable('revenue_cents'),
  uploads: tallyTable('uploads'),
  customers: tallyTable('customers'),
});

/**
 * Counters by day, for the owner's analytics. A day's value is the sum of its rows. Triggers (migration 0027) add a row
 * for each change.
 */
export const dayTallies = pgTable(
  'day_tallies',
  {
    day: dayColumn(),
    /** Orders paid on that day. */
    orders: tallyTable('orders'),
    revenueCents: tallyTable('revenue_cents'),
    /**
     * Orders of that day that contain frames. `finalized` counts those of them that have a finalized frame by now.
     * `delivered` counts those whose finalized frames are all delivered.
     */
    frameOrders: tallyTable('frame_orders'),
    finalized: tallyTable('finalized'),
    delivered: tallyTable('delivered'),
    /** Refunds made on that day, no matter when the order was paid. */
    refundedCents: tallyTable('refunded_cents'),
  },
  (table) => [index('day_tallies_day').on(table.day)],
);

/**
 * Revenue and costs of orders, by the day on which the order was paid, even if a cost came later. The sum of a month
 * therefore covers its orders completely. Triggers (migration 0029) add a row for each change.
 */
export const marginTallies = pgTable(
  'margin_tallies',
  {
    day: dayColumn(),
    orders: tallyTable('orders'),
    paidCents: tallyTable('paid_cents'),
    refundedCents: tallyTable('refunded_cents'),
    /** Money that banks have taken back in disputes. */
    disputedCents: tallyTable('disputed_cents'),
    /** Sales tax on the amount that was not refunded. The tax does not belong to the shop. */
    taxCents: tallyTable('tax_cents'),
    /** Frames and parcels that were or will be shipped. */
    frames: tallyTable('frames'),
    parcels: tallyTable('parcels'),
    /** The number of known provider fees, and their sum. */
    fees: tallyTable('fees'),
    feeCents: tallyTable('fee_cents'),
  },
  (table) => [index('margin_tallies_day').on(table.day)],
);

/** The number of paid videos for the orders of a day, and their cost, by animator. */
export const videoTallies = pgTable(
  'video_tallies',
  { day: dayColumn(), animator: text('animator').notNull(), videos: tallyTable('videos'), cents: tallyTable('cents') },
  (table) => [index('video_tallies_day').on(table.day, table.animator)],
);

/**
 * The number of parcels with a bought label, and the cost of all labels, by the day on which the order was paid. This is
 * a table of its own, because the previous release merges the rows of `margin_tallies` without these columns.
 */
export const labelTallies = pgTable(
  'label_tallies',
  { day: dayColumn(), labels: tallyTable('labels'), cents: tallyTable('cents') },
  (table) => [index('label_tallies_day').on(table.day)],
);

export const pageTallies = pgTable(
  'page_tallies',
  { day: dayColumn(), pagePath: text('page_path').notNull(), views: tallyTable('views') },
  (table) => [index('page_tallies_day').on(table.day, table.pagePath)],
);

/** The number of orders that used a promo code, and their discount. Codes are in upper case. */
export const codeTallies = pgTable(
  'code_tallies',
  {
    day: dayColumn(),
    code: text('code').notNull(),
    uses: tallyTable('uses'),
    discountCents: tallyTable('discount_cents'),
  },
  (table) => [index('code_tallies_day').on(table.day, table.code)],
);
