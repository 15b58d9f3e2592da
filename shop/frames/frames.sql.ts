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
    usedPhotos: integer('used_photos').notNull().default(0),
    finalizedAt: moment('finalized_at'),
    invitationCode: text('invitation_code'),
    qrPhotoKey: text('qr_photo_key'),
    connectionStatus: text('connection_status', { enum: ['none', 'pending', 'connected'] })
      .notNull()
      .default('none'),
    /** When the customer was told that all videos are ready. */
    videosReadyAt: moment('videos_ready_at'),
    /** When staff put the videos on the frame. */
    deliveredAt: moment('delivered_at'),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    unique('frames_order_position').on(table.orderId, table.position),
    index('frames_finalized').on(table.finalizedAt, table.id),
    check('frames_room', sql`${table.usedPhotos} between 0 and ${table.basePhotos} + ${table.extraPhotos}`),
  ],
);
export type Frame = typeof frames.$inferSelect;
