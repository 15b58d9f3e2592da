import { listAuditTrail } from '#shop/audit/audit.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

/** The audit trail, for the role `owner`. */
export function registerOwnerAuditRoutes({ app, shop }: HttpScope): void {
  mountOperation(app, 'GET /api/admin/lists/audit', async ({ query }) => {
    const page = await listAuditTrail(shop.db, query);
    return {
      ...page,
      rows: page.rows.map(({ id, at, act, subjectId, before, after, requestId, ...row }) => ({
        id,
        at: at.toISOString(),
        act,
        subjectId,
        who:
          row.personId === null ? null : { id: row.personId, name: row.personName ?? '', role: row.personRole ?? '' },
        before,
        after,
        requestId,
      })),
    };
  });
}
