import { readFramesLeft, roundFramesLeftForVisitors } from '#shop/stock/stock.ts';
import { waitForFrames } from '#shop/stock/waiters.ts';
import type { HttpScope } from './common/http-scope.ts';
import { mountOperation } from './common/serve.ts';

export function registerStockRoutes({ app, shop }: HttpScope): void {
  mountOperation(app, 'GET /data/stock.json', async () => ({
    framesLeft: roundFramesLeftForVisitors(await readFramesLeft(shop.db)),
  }));
  mountOperation(app, 'POST /api/stock/waiters', async ({ body }) => {
    await waitForFrames(shop, body);
    return { success: true };
  });
}
