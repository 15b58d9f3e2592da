import * as z from 'zod';
import { listQuerySchema, listRefusals, listResponseSchema } from '#contract/lists.ts';
import type { Operations } from '#contract/operation.ts';

/** What a person can do in the panel. The audit trail names each act by one of these. */
export const auditActs = [
  'accept-invitation',
  'add-answer-file',
  'add-passkey',
  'add-photo',
  'add-push-device',
  'admin-code-asked',
  'admin-codes-locked',
  'admin-proof-failed',
  'admin-proved',
  'admin-sign-in',
  'admin-sign-in-failed',
  'answer-review',
  'answer-ticket',
  'approve-return',
  'approve-review',
  'approve-video',
  'begin-passkey',
  'begin-second-factor',
  'buy-label',
  'cancel-order',
  'cancel-phone-order',
  'change-shipping-address',
  'close-payment-problem',
  'close-return',
  'copy-phone-order-link',
  'create-phone-order',
  'decline-return',
  'delete-photo',
  'delete-reply',
  'edit-content',
  'edit-order',
  'edit-staff',
  'edit-ticket',
  'edit-user',
  'end-admin-session',
  'end-other-admin-sessions',
  'end-player',
  'end-upload-links',
  'export-list',
  'hide-review',
  'invite-staff',
  'invite-staff-again',
  'keep-video',
  'make-upload-link',
  'name-passkey',
  'new-recovery-codes',
  'note-cloud',
  'note-photo',
  'open-player',
  'owner-unlocked',
  'put-film',
  'quote-label',
  'receive-return',
  'redo-video',
  'refund-order',
  'remove-passkey',
  'remove-push-device',
  'remove-staff',
  'resend-gift-card',
  'resend-mail',
  'save-reply',
  'second-factor-off',
  'second-factor-on',
  'send-phone-order',
  'set-cart-reminders',
  'set-stock',
  'ship-order',
  'test-push-device',
  'upload-media',
  'void-gift-card',
  'void-label',
  'wish-day-sheet',
  'write-to-customer',
] as const;
export type AuditAct = (typeof auditActs)[number];

export const AuditRow = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    /** One of `auditActs`, or an act of another release. */
    act: z.string(),
    /** What was changed: for example the id of an order. */
    subjectId: z.string().nullable(),
    /**
     * Who did it, with name and role at that time. Null: no signed-in person, or the row is older than the recording of
     * people.
     */
    who: z.object({ id: z.string(), name: z.string(), role: z.string() }).nullable(),
    before: z.unknown(),
    after: z.unknown(),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditRow' });
export type AuditRow = z.infer<typeof AuditRow>;

export const auditQuery = listQuerySchema({ sorts: ['date'], filters: [] })
  .omit({ q: true })
  .extend({
    /** `owner`, or the id of a member of the staff. Without it, the list shows everyone. */
    person: z.string().max(64).optional(),
  });

export const ownerAudit = {
  'GET /api/admin/lists/audit': {
    summary: 'Read a page of the audit trail, newest first, of everyone or of one person',
    who: 'admin',
    area: 'security',
    query: auditQuery,
    response: listResponseSchema(AuditRow),
    refusals: listRefusals,
  },
} satisfies Operations;
