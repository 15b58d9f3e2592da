import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { orders } from '../orders/orders.sql.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/**
 * A picture frame of an order, with places for photos. `usedPhotos` changes only in updates that check the free places,
 * so that parallel uploads cannot exceed them.
 */
export const frames = pgTable(
  'frames',
  {
    id: idColumn(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** 1 is the first frame of the order. */
    position: integer('position').notNull(),
    name: text('name').notNull(),
    deviceType: text('device_type').$type<'kinframe' | 'byof'>().notNull(),
    serialNumber: text('serial_number'),
    basePhotos: integer('base_photos').notNull(),
    extraPhotos: integer('extra_photos').notNull(),
    /**
     * The number of extra places from add-on orders, or added by the owner to a finalized frame. A refund of the
     * frame's own order does not withdraw them.
     */
    laterPhotos: integer('later_photos').notNull().default(0),
    usedPhotos: integer('used_photos').notNull().default(0),
    finalizedAt: timestampColumn('finalized_at'),
    /**
     * When the frame was opened for more photos after it was finalized: in places added later, in free places kept, or
     * in places that an erasure freed. Null again once those photos are finalized.
     */
    reopenedAt: timestampColumn('reopened_at'),
    /** The number of photos that were finalized before the frame was reopened. They stay as they are. */
    sealedPhotos: integer('sealed_photos').notNull().default(0),
    /**
     * The number of places that were finalized without a photo. After the frame is reopened, only the new places are
     * open.
     */
    closedPhotos: integer('closed_photos').notNull().default(0),
    invitationCode: text('invitation_code'),
    qrPhotoKey: text('qr_photo_key'),
    connectionStatus: text('connection_status', { enum: ['none', 'pending', 'connected'] })
      .notNull()
      .default('none'),
    /** Since when the connection is pending or connected. */
    connectionSince: timestampColumn('connection_since'),
    /** When the customer was notified that all videos are ready. */
    videosReadyAt: timestampColumn('videos_ready_at'),
    /** The number of times that the customer was invited to check the videos before delivery. */
    proofRound: integer('proof_round').notNull().default(0),
    /** The end of the current proof; null if there is none. */
    proofEndsAt: timestampColumn('proof_ends_at'),
    /** When staff put the videos on the frame. */
    deliveredAt: timestampColumn('delivered_at'),
    /** Photos and videos are kept until this time, if it is later than the usual end of retention after delivery. */
    keptUntil: timestampColumn('kept_until'),
    /** When the customer was last notified of the day of erasure. */
    erasureWarnedAt: timestampColumn('erasure_warned_at'),
    /** When the delivered photos and videos were erased. */
    erasedAt: timestampColumn('erased_at'),
    /** When the customer said in which photos people must not move; null if there is no answer yet. */
    stillAnsweredAt: timestampColumn('still_answered_at'),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: timestampColumn('created_at').notNull(),
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
