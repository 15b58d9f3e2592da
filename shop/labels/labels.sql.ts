import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { labelStates } from '#contract/label-forms.ts';
import { idColumn, timestampColumn } from '../columns.ts';
import { orders } from '../orders/orders.sql.ts';
import type { LabelCustoms, LabelParcel, LabelRate } from '../ports/label-service.ts';

/** Shipping labels, from their prices to their refund. The row of a purchase is written before the service is asked. */
export const labels = pgTable(
  'labels',
  {
    id: idColumn(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    state: text('state', { enum: labelStates }).notNull(),
    /** The shipment at the label service. The service sells at most one label for it. */
    shipmentId: text('shipment_id').notNull().unique(),
    /** The SHA-256 of the recipient's name and address, to notice that they changed. */
    addressHash: text('address_hash').notNull(),
    parcel: jsonb('parcel').$type<LabelParcel>().notNull(),
    /** The certified customs form; null for a package that needs none. */
    customs: jsonb('customs').$type<LabelCustoms>(),
    rates: jsonb('rates').$type<LabelRate[]>().notNull(),
    carrier: text('carrier'),
    service: text('service'),
    /** The rate that was chosen, and the price: first the quoted one, then the paid one. */
    rateId: text('rate_id'),
    priceCents: integer('price_cents'),
    trackingNumber: text('tracking_number'),
    trackerId: text('tracker_id'),
    pdfKey: text('pdf_key'),
    pdfBytes: integer('pdf_bytes'),
    /** The customs form as PDF. It is stored together with the label; null if the carrier has no separate form. */
    customsPdfKey: text('customs_pdf_key'),
    /** When the PDFs were deleted. They are not fetched again. */
    erasedAt: timestampColumn('erased_at'),
    /** The service's own text about the last step that it refused. */
    problem: text('problem'),
    buyingAt: timestampColumn('buying_at'),
    boughtAt: timestampColumn('bought_at'),
    voidingAt: timestampColumn('voiding_at'),
    deliveredAt: timestampColumn('delivered_at'),
    /** When the shop last asked the service about this label. */
    checkedAt: timestampColumn('checked_at'),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('labels_order').on(table.orderId, table.createdAt),
    index('labels_created').on(table.createdAt),
    uniqueIndex('labels_current')
      .on(table.orderId)
      .where(sql`${table.state} in ('buying', 'bought')`),
    // Labels whose outcome is not known. Their number stays small.
    index('labels_open')
      .on(table.checkedAt)
      .where(sql`${table.state} in ('buying', 'voiding')`),
    index('labels_unbought')
      .on(table.updatedAt)
      .where(sql`${table.state} in ('quoted', 'failed')`),
    index('labels_without_pdf')
      .on(table.boughtAt)
      .where(sql`${table.state} = 'bought' and ${table.pdfKey} is null and ${table.erasedAt} is null`),
    index('labels_with_pdf')
      .on(table.boughtAt)
      .where(sql`${table.pdfKey} is not null`),
    index('labels_pdf').on(table.pdfKey),
    index('labels_customs_pdf').on(table.customsPdfKey),
    // The last customs form, whose values the next one gets.
    index('labels_customs')
      .on(table.createdAt)
      .where(sql`${table.customs} is not null`),
    index('labels_tracker').on(table.trackerId),
    check('labels_price', sql`${table.priceCents} >= 0`),
    check(
      'labels_bought',
      sql`${table.state} in ('quoted', 'buying', 'failed') or (${table.trackingNumber} is not null and ${table.priceCents} is not null and ${table.boughtAt} is not null)`,
    ),
  ],
);
export type Label = typeof labels.$inferSelect;
