import { computeSpan } from '#shop/analytics/figures.ts';
import { readCartReminderFigures } from '#shop/checkout/cart-reminder-figures.ts';
import { areCartRemindersOn, setCartReminders } from '#shop/checkout/cart-reminder-setting.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerCartReminderRoutes({ app, shop }: HttpScope): void {
  mountOperation(app, 'GET /api/admin/cart-reminders', async ({ query }) => {
    const span = computeSpan(query, shop.clock);
    const [isOn, figures] = await Promise.all([areCartRemindersOn(shop.db), readCartReminderFigures(shop.db, span)]);
    return { isOn, ...figures };
  });
  mountOperation(app, 'PUT /api/admin/cart-reminders', async ({ body, request }) => {
    await setCartReminders(shop, body.isOn, getAuditAuthor(request));
    return { isOn: body.isOn };
  });
}
