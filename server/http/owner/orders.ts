import { Refusal } from '#contract/refusals.ts';
import { cancelOrder, offerCancellation } from '#shop/cancellations/cancellations.ts';
import { calculateTaxOfOrder } from '#shop/checkout/tax.ts';
import { listOrders } from '#shop/orders/orders-list.ts';
import {
  readHistoriesOf,
  findOrderById,
  findOrdersByNumbers,
  type Order,
  type OrderEvent,
} from '#shop/orders/orders.ts';
import { editOrder, isShippable, shipOrder } from '#shop/orders/owner-edits.ts';
import { changeShippingAddress } from '#shop/orders/shipping-address.ts';
import { checkShipping } from '#shop/production/shipping-check.ts';
import { disputesOfOrders, isMoneyWithdrawn, isOpenDispute, type Dispute } from '#shop/refunds/disputes.ts';
import { fraudWarningsOfOrders, type FraudWarning } from '#shop/refunds/fraud-warnings.ts';
import { offerRefund, refundOrder, refundsOfOrders, type Refund } from '#shop/refunds/refunds.ts';
import { endReturnWithRefund } from '#shop/returns/owner-returns.ts';
import type { AdminDispute, AdminFraudWarning, AdminOrder, AdminRefund } from '#contract/owner/orders.ts';
import type { Db } from '#shop/ports/database.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { readRowsAndSetNextLink } from '../common/list-link.ts';
import { mountOperation } from '../common/serve.ts';
import { purchaseView } from '../views.ts';

export function registerOwnerOrderRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;

  const readPage = async (query: Parameters<typeof listOrders>[1]) => {
    const ordersPage = await listOrders(db, query);
    return { ...ordersPage, rows: await createAdminOrders(db, ordersPage.rows) };
  };
  mountOperation(app, 'GET /api/admin/orders', (call) => readRowsAndSetNextLink(call, readPage));
  mountOperation(app, 'GET /api/admin/lists/orders', ({ query }) => readPage(query));
  mountOperation(app, 'GET /api/admin/orders/:id', ({ params }) => readAdminOrder(db, params.id));

  mountOperation(app, 'PUT /api/admin/orders/:id', async ({ params, body, request }) => {
    await editOrder(shop, params.id, body, getAuditAuthor(request));
    return readAdminOrder(db, params.id);
  });

  mountOperation(app, 'GET /api/admin/orders/:id/refunds', async ({ params }) => {
    const { remainingCents, giftCardCents, packageCents, ...offer } = await offerRefund(shop, params.id);
    return {
      ...offer,
      remainingAmount: remainingCents,
      giftCardAmount: giftCardCents,
      packageAmount: packageCents,
    };
  });

  mountOperation(app, 'POST /api/admin/orders/:id/refunds', async ({ params, body, request }) => {
    const { returnId } = body;
    const endedReturn =
      returnId === undefined ? undefined : { returnId, end: endReturnWithRefund(shop.clock, returnId) };
    await refundOrder(shop, params.id, body, getAuditAuthor(request), endedReturn);
    return readAdminOrder(db, params.id);
  });

  mountOperation(app, 'GET /api/admin/orders/:id/cancellation', ({ params }) => offerCancellation(shop, params.id));

  mountOperation(app, 'POST /api/admin/orders/:id/cancellation', async ({ params, body, request }) => {
    await cancelOrder(shop, params.id, body, getAuditAuthor(request));
    return readAdminOrder(db, params.id);
  });

  mountOperation(app, 'GET /api/admin/orders/:id/shipping-check', async ({ params }) => {
    const order = await findOrderById(db, params.id);
    if (!order) throw new Refusal('not-found');
    return checkShipping(db, order);
  });

  mountOperation(app, 'GET /api/admin/shipping-checks', async ({ query: { numbers } }) => {
    const orders = await findOrdersByNumbers(db, [...new Set(numbers.split(','))]);
    const views = await createAdminOrders(db, orders);
    const checks = [];
    for (const [at, order] of orders.entries())
      checks.push({ order: views[at]!, check: await checkShipping(db, order) });
    return checks;
  });

  mountOperation(app, 'PUT /api/admin/orders/:id/shipping-address', async ({ params, body, request }) => {
    const { order, isChanged } = await changeShippingAddress(shop, params.id, body, getAuditAuthor(request));
    const isTaxed = isChanged && order.taxRate !== null;
    const newTaxCents = isTaxed ? await calculateTaxOfOrder(shop.provider, order, body.address) : undefined;
    return {
      order: await readAdminOrder(db, params.id),
      tax: isTaxed ? { paid: order.taxCents, now: newTaxCents ?? null } : null,
    };
  });

  mountOperation(app, 'POST /api/admin/orders/:id/shipment', async ({ params, body, request }) => {
    await shipOrder(shop, params.id, body, getAuditAuthor(request));
    return readAdminOrder(db, params.id);
  });
}

async function readAdminOrder(db: Db, orderId: string): Promise<AdminOrder> {
  const order = await findOrderById(db, orderId);
  const [view] = order ? await createAdminOrders(db, [order]) : [];
  if (!view) throw new Refusal('not-found');
  return view;
}

async function createAdminOrders(db: Db, orders: Order[]): Promise<AdminOrder[]> {
  const ids = orders.map((it) => it.id);
  const [histories, refunds, disputes, warnings] = await Promise.all([
    readHistoriesOf(db, ids),
    refundsOfOrders(db, ids),
    disputesOfOrders(db, ids),
    fraudWarningsOfOrders(db, ids),
  ]);
  const refundsByOrder = Map.groupBy(refunds, (it) => it.orderId);
  const disputesByOrder = Map.groupBy(disputes, (it) => it.orderId);
  const warningsByOrder = Map.groupBy(warnings, (it) => it.orderId);
  return orders.map((order) => ({
    ...toAdminOrderFacts(order),
    refunds: (refundsByOrder.get(order.id) ?? []).map(refundView),
    disputes: (disputesByOrder.get(order.id) ?? []).map(disputeView),
    fraudWarnings: (warningsByOrder.get(order.id) ?? []).map(warningView),
    events: (histories.get(order.id) ?? []).map(eventView),
  }));
}

const refundView = ({
  id,
  amountCents,
  giftCards,
  reason,
  state,
  photosWithdrawn,
  createdAt,
}: Refund): AdminRefund => ({
  id,
  amount: amountCents,
  giftCards: giftCards?.map((it) => it.lastFour) ?? null,
  reason,
  state,
  photosWithdrawn,
  createdAt: createdAt.toISOString(),
});
const disputeView = (dispute: Dispute): AdminDispute => ({
  id: dispute.id,
  amount: dispute.amountCents,
  reason: dispute.reason,
  status: dispute.status,
  isOpen: isOpenDispute(dispute),
  holdsMoney: isMoneyWithdrawn(dispute),
  respondBy: dispute.respondBy?.toISOString() ?? null,
  createdAt: dispute.createdAt.toISOString(),
});
const warningView = ({ id, fraudType, createdAt }: FraudWarning): AdminFraudWarning => ({
  id,
  fraudType,
  createdAt: createdAt.toISOString(),
});
const eventView = ({ kind, words, at }: OrderEvent) => ({ kind, words, at: at.toISOString() });

const toAdminOrderFacts = (order: Order): Omit<AdminOrder, 'refunds' | 'disputes' | 'fraudWarnings' | 'events'> => ({
  ...purchaseView(order),
  customerId: order.customerId,
  customerEmail: order.email,
  customerPhone: order.phone,
  customerPhoneE164: order.phoneE164,
  isShippable: isShippable(order),
  orderStatus: order.status,
  notes: order.notes,
  stripePaymentIntentId: order.stripePaymentIntentId,
  updatedAt: order.updatedAt.toISOString(),
});
