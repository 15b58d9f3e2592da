import { Refusal } from '#contract/refusals.ts';
import { readMarginsOfMonths, readMarginsOfOrders } from '#shop/margins/margins.ts';
import { findOrderById } from '#shop/orders/orders.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerMarginRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;
  const { replicate, videoCosts } = shop.config;

  mountOperation(app, 'GET /api/admin/orders/:id/margin', async ({ params }) => {
    const order = await findOrderById(db, params.id);
    if (!order) throw new Refusal('not-found');
    return (await readMarginsOfOrders(db, await shop.costs(db), [order])).get(order.id)!;
  });

  mountOperation(app, 'GET /api/analytics/margins', async () => ({
    months: await readMarginsOfMonths(shop, await shop.costs(db)),
    isVideoPriceUnknown: replicate !== undefined && videoCosts.priceCents === 0,
  }));
}
