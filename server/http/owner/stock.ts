import { countFramesToShip } from '#shop/orders/to-ship.ts';
import { setFramesLeft } from '#shop/stock/owner-stock.ts';
import { readFramesLeft } from '#shop/stock/stock.ts';
import { countStockWaiters } from '#shop/stock/waiters.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerStockRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;
  const readStockView = async () => ({
    framesLeft: await readFramesLeft(db),
    framesToShip: await countFramesToShip(db),
    waiting: await countStockWaiters(db),
  });

  mountOperation(app, 'GET /api/admin/stock', readStockView);
  mountOperation(app, 'PUT /api/admin/stock', async ({ body, request }) => {
    await setFramesLeft(shop, body, getAuditAuthor(request));
    return readStockView();
  });
}
