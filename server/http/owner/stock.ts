import { framesToShip } from '#shop/orders/to-ship.ts';
import { setFramesLeft } from '#shop/stock/owner-stock.ts';
import { framesLeft } from '#shop/stock/stock.ts';
import { countWaiters } from '#shop/stock/waiters.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { serve } from '../common/serve.ts';

export function ownerStockHttp({ app, shop }: HttpScope): void {
  const { db } = shop;
  const read = async () => ({
    framesLeft: await framesLeft(db),
    framesToShip: await framesToShip(db),
    waiting: await countWaiters(db),
  });

  serve(app, 'GET /api/admin/stock', read);
  serve(app, 'PUT /api/admin/stock', async ({ body, request }) => {
    await setFramesLeft(shop, body, { requestId: request.id });
    return read();
  });
}
