import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { orders } from '../orders/orders.sql.ts';
import { id, moment } from '../columns.ts';

/** A device of an order, with room for photos. `usedPhotos` is claimed by guarded updates only. */
export const frames = pgTable(
  'frames',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** 1 is the order's first. */
    position: integer('position').notNull(),
    name: text('name').notNull(),
    deviceType: text('device_type').$type<'kinframe' | 'byof'>().notNull(),
    serialNumber: text('serial_number'),
    basePhotos: integer('base_photos').notNull(),
    extraPhotos: integer('extra_photos').notNull(),
    /** How many of the extra places came with orders of their own, which alone give them back. */
    laterPhotos: integer('later_photos').notNull().default(0),
    usedPhotos: integer('used_photos').notNull().default(0),
    finalizedAt: moment('finalized_at'),
    /** Since when it takes more photos after finalizing, in places bought later or kept; null again once those are finalized. */
    reopenedAt: moment('reopened_at'),
    /** Photos that were finalized before it was opened again: they stay as they are. */
    sealedPhotos: integer('sealed_photos').notNull().default(0),
    /** Places that were finalized without a photo: of a frame that was opened again only the new ones are open. */
    closedPhotos: integer('closed_photos').notNull().default(0),
    invitationCode: text('invitation_code'),
    qrPhotoKey: text('qr_photo_key'),
    connectionStatus: text('connection_status', { enum: ['none', 'pending', 'connected'] })
      .notNull()
      .default('none'),
    /** Since when it is pending, or connected. */
    connectionSince: moment('connection_since'),
    /** When the customer was told that all videos are ready. */
    videosReadyAt: moment('videos_ready_at'),
    /** How often its customer was asked to look at the videos before they are delivered. */
    proofRound: integer('proof_round').notNull().default(0),
    /** Until when they are asked now; null: they are not. */
    proofEndsAt: moment('proof_ends_at'),
    /** When staff put the videos on the frame. */
    deliveredAt: moment('delivered_at'),
    /** Its photos and videos are kept until then where that is later than the usual days after delivery. */
    keptUntil: moment('kept_until'),
    /** When its customer was last told of the day on which they are erased. */
    erasureWarnedAt: moment('erasure_warned_at'),
    /** When the delivered photos and videos were erased. */
    erasedAt: moment('erased_at'),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    unique('frames_order_position').on(table.orderId, table.position),
    index('frames_finalized').on(table.finalizedAt, table.id),
    index('frames_qr_photo').on(table.qrPhotoKey),
    index('frames_listed').on(table.createdAt, table.id),
    index('frames_to_connect')
      .on(table.createdAt, table.id)
      .where(sql`${table.connectionStatus} = 'pending'`),
    index('frames_to_fill')
      .on(table.createdAt, table.id)
      .where(sql`${table.videosReadyAt} is not null and ${table.deliveredAt} is null`),
    index('frames_filled')
      .on(table.createdAt, table.id)
      .where(sql`${table.deliveredAt} is not null`),
    index('frames_proof_end')
      .on(table.proofEndsAt)
      .where(sql`${table.proofEndsAt} is not null`),
    index('frames_to_erase')
      .on(table.videosReadyAt, table.id)
      .where(sql`${table.videosReadyAt} is not null and ${table.erasedAt} is null`),
    index('frames_warned')
      .on(table.erasureWarnedAt)
      .where(sql`${table.erasureWarnedAt} is not null and ${table.erasedAt} is null`),
    check('frames_room', sql`${table.usedPhotos} between 0 and ${table.basePhotos} + ${table.extraPhotos}`),
  ],
);
export type Frame = typeof frames.$inferSelect;
