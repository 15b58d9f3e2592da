import { isDaySheetMailed, readDaySheet, setDaySheetMailed } from '#shop/day-sheet/day-sheet.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { serve } from '../common/serve.ts';

export function ownerDaySheetHttp({ app, shop }: HttpScope): void {
  const sheet = async () => ({ ...(await readDaySheet(shop)), isMailed: await isDaySheetMailed(shop.db) });
  serve(app, 'GET /api/admin/day-sheet', sheet);
  serve(app, 'PUT /api/admin/day-sheet', async ({ body, request }) => {
    await setDaySheetMailed(shop, body.isMailed, { requestId: request.id });
    return sheet();
  });
}
