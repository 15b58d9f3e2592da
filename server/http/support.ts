import { openTicket } from '#shop/support/support.ts';
import { countPageView } from '#shop/analytics/analytics.ts';
import type { HttpScope } from './common/http-scope.ts';
import { serve } from './common/serve.ts';

export function supportHttp({ app, shop }: HttpScope): void {
  serve(app, 'POST /api/support-tickets', async ({ body }) => ({ ticket: await openTicket(shop, body) }));
}

export function analyticsHttp({ app, shop }: HttpScope): void {
  serve(app, 'POST /api/page-views', async ({ body }) => {
    await countPageView(shop, body);
    return { success: true };
  });
}
