import type { PhoneOrderView } from '#contract/owner/phone-orders.ts';
import {
  cancelPhoneOrder,
  copyPhoneOrderLink,
  createPhoneOrder,
  listPhoneOrders,
  sendPhoneOrder,
  type FollowedPhoneOrder,
} from '#shop/checkout/phone-orders.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerPhoneOrderRoutes({ app, shop }: HttpScope): void {
  const scope = { ...shop, collectsTax: shop.config.collectsTax };
  const publishAndReturn = <T>(result: T): T => {
    shop.live.publish('orders');
    return result;
  };

  mountOperation(app, 'GET /api/admin/phone-orders', async () => (await listPhoneOrders(shop)).map(phoneOrderView));

  mountOperation(app, 'POST /api/admin/phone-orders', async ({ body, request }) => {
    const { phoneOrder, payUrl } = await createPhoneOrder(scope, body, getAuditAuthor(request));
    return publishAndReturn({ phoneOrder: phoneOrderView(phoneOrder), payUrl });
  });

  mountOperation(app, 'POST /api/admin/phone-orders/:id/send', async ({ params, request }) =>
    publishAndReturn(phoneOrderView(await sendPhoneOrder(scope, params.id, getAuditAuthor(request)))),
  );

  mountOperation(app, 'POST /api/admin/phone-orders/:id/link', async ({ params, request }) => ({
    payUrl: await copyPhoneOrderLink(scope, params.id, getAuditAuthor(request)),
  }));

  mountOperation(app, 'POST /api/admin/phone-orders/:id/cancel', async ({ params, request }) =>
    publishAndReturn(phoneOrderView(await cancelPhoneOrder(scope, params.id, getAuditAuthor(request)))),
  );
}

const phoneOrderView = (it: FollowedPhoneOrder): PhoneOrderView => ({
  id: it.id,
  productId: it.productId,
  quantity: it.quantity,
  extraPackages: it.extraPackages,
  promoCode: it.promoCode,
  customer: it.customer,
  note: it.note,
  state: it.state,
  totalAmount: it.totalCents,
  createdAt: it.createdAt.toISOString(),
  sentAt: it.sentAt?.toISOString() ?? null,
  openedAt: it.openedAt?.toISOString() ?? null,
  expiresAt: it.expiresAt.toISOString(),
  order: it.order ? { id: it.order.id, orderNumber: it.order.orderNumber } : null,
});
