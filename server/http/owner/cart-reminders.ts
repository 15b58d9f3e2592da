import { spanOf } from '#shop/analytics/figures.ts';
import { cartReminderFigures } from '#shop/checkout/cart-reminder-figures.ts';
import { areCartRemindersOn, setCartReminders } from '#shop/checkout/cart-reminder-setting.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { serve } from '../common/serve.ts';

export function ownerCartRemindersHttp({ app, shop }: HttpScope): void {
  serve(app, 'GET /api/admin/cart-reminders', async ({ query }) => {
    const span = spanOf(query.range ?? '30d', shop.clock);
    const [isOn, figures] = await Promise.all([areCartRemindersOn(shop.db), cartReminderFigures(shop.db, span)]);
    return { isOn, ...figures };
  });
  serve(app, 'PUT /api/admin/cart-reminders', async ({ body, request }) => {
    await setCartReminders(shop, body.isOn, { requestId: request.id });
    return { isOn: body.isOn };
  });
}
