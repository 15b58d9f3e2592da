import { openTicket } from '#shop/support/support.ts';
import { countPageView } from '#shop/analytics/analytics.ts';
import type { HttpScope } from './common/http-scope.ts';
import { mountOperation } from './common/serve.ts';

export function registerSupportRoutes({ app, shop }: HttpScope): void {
  mountOperation(app, 'POST /api/support-tickets', async ({ body }) => ({ ticket: await openTicket(shop, body) }));
}

export function registerAnalyticsRoutes({ app, shop }: HttpScope): void {
  mountOperation(app, 'POST /api/page-views', async ({ body }) => {
    await countPageView(shop, body);
    return { success: true };
  });
}
