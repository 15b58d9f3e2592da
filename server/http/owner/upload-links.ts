import { lifetimes } from '#contract/limits.ts';
import { doWithAuditEntry, recordAuditEntry } from '#shop/audit/audit.ts';
import { endUploadLinks, makeUploadLink, uploadLinksOf } from '#shop/upload-links/upload-links.ts';
import type { Db } from '#shop/ports/database.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerUploadLinkRoutes({ app, shop }: HttpScope): void {
  const { db, clock } = shop;

  mountOperation(app, 'GET /api/admin/customers/:id/upload-links', async ({ params }) =>
    (await uploadLinksOf(db, params.id)).map(({ id, createdAt, expiresAt }) => ({
      id,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  );

  mountOperation(app, 'POST /api/admin/customers/:id/generate-upload-link', async ({ params, body, request }) => {
    const shouldMailCustomer = body?.tellCustomer ?? true;
    const createLink = (tx: Db) => makeUploadLink({ ...shop, db: tx }, params.id, { tellCustomer: shouldMailCustomer });
    const auditEntry = {
      act: 'make-upload-link' as const,
      subjectId: params.id,
      after: { tellCustomer: shouldMailCustomer },
      ...getAuditAuthor(request),
    };
    const { path, expiresAt } = await doWithAuditEntry(shop, createLink, () => auditEntry);
    return {
      uploadUrl: shop.link(path),
      expiresIn: `${lifetimes.uploadLinkDays} days`,
      expiresAt: expiresAt.toISOString(),
    };
  });

  mountOperation(app, 'DELETE /api/admin/customers/:id/upload-links', async ({ params, request }) => {
    await endUploadLinks(shop, params.id, (tx) =>
      recordAuditEntry(tx, clock, { act: 'end-upload-links', subjectId: params.id, ...getAuditAuthor(request) }),
    );
    return { success: true, message: 'This customer’s upload links don’t work anymore.' };
  });
}
