import { sql } from 'drizzle-orm';
import { boolean, check, doublePrecision, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { trialStates } from '#contract/trials.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/**
 * A photo that a visitor tries before buying, and its video. All of it is erased when `endsAt` is over: the row, its
 * files, and everything about the photo. Backups leave these tables out.
 */
export const trials = pgTable(
  'trials',
  {
    id: idColumn(),
    /** The SHA-256 of the token in the cookie of the browser that made it; null after the trial was ended early. */
    browserHash: text('browser_hash').unique(),
    /** Keyed hash of the network, to restore an attempt if no video can be made. Null if the limits are off. */
    networkHash: text('network_hash'),
    state: text('state', { enum: trialStates }).notNull(),
    progress: doublePrecision('progress').notNull().default(0),
    /** How often making the video was begun. */
    attempts: integer('attempts').notNull().default(0),
    originalFileName: text('original_file_name').notNull(),
    fileSize: integer('file_size').notNull(),
    sha256: text('sha256').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    endsAt: timestampColumn('ends_at').notNull(),
    /** When a customer put the photo on a frame. */
    claimedAt: timestampColumn('claimed_at'),
  },
  (table) => [
    index('trials_line')
      .on(table.createdAt, table.id)
      .where(sql`${table.state} in ('waiting', 'seeing', 'animating')`),
    index('trials_end').on(table.endsAt),
  ],
);
export type Trial = typeof trials.$inferSelect;

/** The stored files of a trial. A row is deleted after its file. */
export const trialFiles = pgTable(
  'trial_files',
  {
    key: text('key').primaryKey(),
    trialId: text('trial_id')
      .notNull()
      .references(() => trials.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['original', 'display', 'thumbnail', 'film', 'poster'] }).notNull(),
    contentType: text('content_type').notNull(),
  },
  (table) => [index('trial_files_trial').on(table.trialId)],
);
export type TrialFile = typeof trialFiles.$inferSelect;

/**
 * The uses of a limit, each in a numbered slot that can be used again after some time. The primary key makes the limit
 * exact. `key` is a keyed hash of a network or of an email address, or the id of a trial.
 */
export const trialSlots = pgTable(
  'trial_slots',
  { key: text('key').notNull(), slot: integer('slot').notNull(), takenAt: timestampColumn('taken_at').notNull() },
  (table) => [primaryKey({ columns: [table.key, table.slot] }), index('trial_slots_taken').on(table.takenAt)],
);

/** The secret for the keyed hashes of `trial_slots`. The table has only one row. */
export const trialKeys = pgTable(
  'trial_keys',
  { isOnly: boolean('is_only').primaryKey().default(true), secret: text('secret').notNull() },
  (table) => [check('trial_keys_only', sql`${table.isOnly}`)],
);
