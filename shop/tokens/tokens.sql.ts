import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../columns.ts';

/** A link with one purpose and an end: 256 random bits, of which only the SHA-256 is kept. */
export const tokens = pgTable(
  'tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose', {
      enum: [
        'password-reset',
        'email-confirmation',
        'finish-registration',
        'order-access',
        'upload-link',
        'delivery',
        'share',
        'play',
        'proof',
        'review',
        'collect',
        'contributor',
        'sign-in',
        'email-change',
        'new-passkey',
        'passkey',
        'unsubscribe',
        'admin-code',
        'owner-sign-in',
      ],
    }).notNull(),
    /** What it opens, by purpose: a customer's, order's, frame's, collect link's or contributor's id. */
    subjectId: text('subject_id').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** Set once where the purpose is one act. */
    usedAt: moment('used_at'),
    revokedAt: moment('revoked_at'),
    /** Since when it only shows what it opens. */
    closedAt: moment('closed_at'),
  },
  (table) => [index('tokens_subject').on(table.purpose, table.subjectId), index('tokens_expiry').on(table.expiresAt)],
);
export type TokenPurpose = (typeof tokens.$inferSelect)['purpose'];
