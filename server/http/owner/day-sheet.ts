import type { FastifyRequest } from 'fastify';
import { canUse } from '#contract/owner/areas.ts';
import { dayLineAreas } from '#contract/owner/day-sheet.ts';
import { isDaySheetMailed, readDaySheet, setDaySheetMailed } from '#shop/day-sheet/day-sheet.ts';
import { getAuditAuthor, personOf } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerDaySheetRoutes({ app, shop }: HttpScope): void {
  const readDaySheetFor = async ({ request }: { request: FastifyRequest }) => {
    const { role } = personOf(request);
    const { lines, newOrders, lastBackupAt } = await readDaySheet(shop);
    return {
      lines: lines.filter(({ kind }) => canUse(role, dayLineAreas[kind])),
      newOrders: canUse(role, 'orders') ? newOrders : 0,
      ...(lastBackupAt !== undefined && canUse(role, 'security') && { lastBackupAt }),
      isMailed: await isDaySheetMailed(shop.db),
    };
  };
  mountOperation(app, 'GET /api/admin/day-sheet', readDaySheetFor);
  mountOperation(app, 'PUT /api/admin/day-sheet', async ({ body, request }) => {
    await setDaySheetMailed(shop, body.isMailed, getAuditAuthor(request));
    return readDaySheetFor({ request });
  });
}
