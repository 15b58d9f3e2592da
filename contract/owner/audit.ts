import * as z from 'zod';
import { listQuerySchema, listRefusals, listResponseSchema } from '#contract/lists.ts';
import type { Operations } from '#contract/operation.ts';

export const AuditRow = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
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
