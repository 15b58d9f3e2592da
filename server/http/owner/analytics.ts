import { pageViewAnalytics, shopFigures } from '#shop/analytics/figures.ts';
import { cartPaidCondition } from '#shop/payments/payments.ts';
import { readTallies } from '#shop/tallies/tallies.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function ownerAnalyticsHttp({ app, shop }: HttpScope): void {
  const { db } = shop;

  mountOperation(app, 'GET /api/admin/stats', async () => {
    const { orders, customers, uploads, revenueCents } = await readTallies(db);
    return { totalOrders: orders, totalUsers: customers, totalUploads: uploads, totalRevenue: revenueCents };
  });

  mountOperation(app, 'GET /api/analytics/page-views', ({ query }) => pageViewAnalytics(shop, query));
  mountOperation(app, 'GET /api/analytics/days', ({ query }) =>
    shopFigures({ ...shop, isCartPaid: cartPaidCondition }, query),
  );
}
