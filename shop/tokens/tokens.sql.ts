import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from '../columns.ts';

/** A token with one purpose and an expiry: 256 random bits. Only their SHA-256 is stored. */
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
        'trial-view',
        'sign-in',
        'email-change',
        'new-passkey',
        'passkey',
        'unsubscribe',
        'cart',
        'cart-unsubscribe',
        'gift-card',
        'payment-link',
        'new-owner-passkey',
        'owner-passkey',
        'admin-code',
        'owner-sign-in',
        'end-sign-in',
        'ticket-reply',
        'staff-invitation',
        'staff-code',
        'new-staff-passkey',
      ],
    }).notNull(),
    /**
     * The id of the object that the token opens. Depending on the purpose, it is for example a customer, order, frame,
     * collect link or contributor.
     */
    subjectId: text('subject_id').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
    /** When it was used, for a purpose that allows only one use. */
    usedAt: timestampColumn('used_at'),
    revokedAt: timestampColumn('revoked_at'),
    /** The time since which the token only allows reading. */
    closedAt: timestampColumn('closed_at'),
  },
  (table) => [index('tokens_subject').on(table.purpose, table.subjectId), index('tokens_expiry').on(table.expiresAt)],
);
export type TokenPurpose = (typeof tokens.$inferSelect)['purpose'];
