import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';
import { frames } from '../frames/frames.sql.ts';

/** A customer's call for photos of one frame. Its tokens are known for a while after its end, to say that it has ended. */
export const collectLinks = pgTable(
  'collect_links',
  {
    id: id(),
    frameId: text('frame_id')
      .notNull()
      .references(() => frames.id),
    /** The customer's: what the photos are for. */
    name: text('name').notNull(),
    /** The end of its last day, or when the customer ended it. */
    endsAt: moment('ends_at').notNull(),
    pausedAt: moment('paused_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('collect_links_frame').on(table.frameId, table.createdAt),
    index('collect_links_end').on(table.endsAt),
  ],
);
export type CollectLink = typeof collectLinks.$inferSelect;

/** Somebody who gave a first name at a collect link; a token of a browser's cookie is all that tells them again. */
export const contributors = pgTable(
  'contributors',
  {
    id: id(),
    linkId: text('link_id')
      .notNull()
      .references(() => collectLinks.id, { onDelete: 'cascade' }),
    firstName: text('first_name').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('contributors_link').on(table.linkId, table.createdAt)],
);
export type Contributor = typeof contributors.$inferSelect;
