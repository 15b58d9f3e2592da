import { openTicket } from '#shop/support/support.ts';
import { countPageView } from '#shop/analytics/analytics.ts';
import type { Door } from './door/door.ts';
import { serve } from './door/serve.ts';

export function supportHttp({ app, shop }: Door): void {
  serve(app, 'POST /api/support-tickets', async ({ body }) => ({ ticket: await openTicket(shop, body) }));
}

export function analyticsHttp({ app, shop }: Door): void {
  serve(app, 'POST /api/page-views', async ({ body }) => {
    await countPageView(shop, body);
    return { success: true };
  });
}
