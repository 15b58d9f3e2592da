import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { OrderLine } from '#contract/orders.ts';
import { frames } from '../frames/frames.sql.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/**
 * Extra packages that a customer buys for a frame they own. The price is stored before the payment is requested, and
 * never changes.
 */
export const addons = pgTable(
  'addons',
  {
    id: idColumn(),
    customerId: text('customer_id').notNull(),
    frameId: text('frame_id')
      .notNull()
      .references(() => frames.id),
    packages: integer('packages').notNull(),
    lines: jsonb('lines').$type<OrderLine[]>().notNull(),
    subtotalCents: integer('subtotal_cents').notNull(),
    taxCents: integer('tax_cents').notNull(),
    /**
     * The rate in percent, the jurisdiction and the calculation id, as the payment provider returned them. All three
     * are null if no tax was calculated.
     */
    taxRate: text('tax_rate'),
    taxJurisdiction: text('tax_jurisdiction'),
    taxCalculationId: text('tax_calculation_id'),
    totalCents: integer('total_cents').notNull(),
    /** The part of the total that gift cards pay. */
    giftCardCents: integer('gift_card_cents').notNull().default(0),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('addons_frame').on(table.frameId, table.customerId),
    check('addons_packages', sql`${table.packages} > 0`),
    check('addons_gift_cards', sql`${table.giftCardCents} between 0 and ${table.totalCents}`),
    check('addons_total', sql`${table.totalCents} = ${table.subtotalCents} + ${table.taxCents}`),
  ],
);
export type Addon = typeof addons.$inferSelect;
