import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';
import { frames } from '../frames/frames.sql.ts';

/**
 * A customer's collect link for one frame. Its tokens stay valid for some time after its end, so that its page can show
 * that the link has ended.
 */
export const collectLinks = pgTable(
  'collect_links',
  {
    id: idColumn(),
    frameId: text('frame_id')
      .notNull()
      .references(() => frames.id),
    /** The occasion for the photos, in the customer's words, for example "Grandma's birthday". */
    name: text('name').notNull(),
    /** The end of the link's last day, or the time when the customer ended the link. */
    endsAt: timestampColumn('ends_at').notNull(),
    pausedAt: timestampColumn('paused_at'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('collect_links_frame').on(table.frameId, table.createdAt),
    index('collect_links_end').on(table.endsAt),
  ],
);
export type CollectLink = typeof collectLinks.$inferSelect;

/**
 * A person who entered a first name on the page of a collect link. Only the token in their browser's cookie identifies
 * them.
 */
export const contributors = pgTable(
  'contributors',
  {
    id: idColumn(),
    linkId: text('link_id')
      .notNull()
      .references(() => collectLinks.id, { onDelete: 'cascade' }),
    firstName: text('first_name').notNull(),
    /** SHA-256 of the link's id and the contributor's network; null in rows of older releases. */
    networkHash: text('network_hash'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('contributors_link').on(table.linkId, table.createdAt),
    index('contributors_created').on(table.createdAt),
  ],
);
export type Contributor = typeof contributors.$inferSelect;
