import { pageViewAnalytics, readShopFigures } from '#shop/analytics/figures.ts';
import { cartPaidCondition } from '#shop/payments/payments.ts';
import { readTallies } from '#shop/tallies/tallies.ts';
import { canUse } from '#contract/owner/areas.ts';
import { personOf } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerAnalyticsRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;

  mountOperation(app, 'GET /api/admin/stats', async ({ request }) => {
    const { orders, customers, uploads, revenueCents } = await readTallies(db);
    return {
      totalOrders: orders,
      totalUsers: customers,
      totalUploads: uploads,
      totalRevenue: canUse(personOf(request).role, 'money') ? revenueCents : null,
    };
  });

  mountOperation(app, 'GET /api/analytics/page-views', ({ query }) => pageViewAnalytics(shop, query));
  mountOperation(app, 'GET /api/analytics/days', ({ query }) =>
    readShopFigures({ ...shop, isCartPaid: cartPaidCondition }, query),
  );
}
