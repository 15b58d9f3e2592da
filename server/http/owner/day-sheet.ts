import { isDaySheetMailed, readDaySheet, setDaySheetMailed } from '#shop/day-sheet/day-sheet.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function ownerDaySheetHttp({ app, shop }: HttpScope): void {
  const sheet = async () => ({ ...(await readDaySheet(shop)), isMailed: await isDaySheetMailed(shop.db) });
  mountOperation(app, 'GET /api/admin/day-sheet', sheet);
  mountOperation(app, 'PUT /api/admin/day-sheet', async ({ body, request }) => {
    await setDaySheetMailed(shop, body.isMailed, { requestId: request.id });
    return sheet();
  });
}
