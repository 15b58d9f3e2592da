import { formatDollars } from '#contract/catalog.ts';
import { findOrderById, type Order } from '#shop/orders/orders.ts';
import { queueSaleNotifications, sendToDevice } from '#shop/owner-push/owner-push.ts';
import type { PushMessage } from '#shop/ports/push-service.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerPushJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  await jobs.startWorkers('announce-sale', async ({ orderId }) => {
    await queueSaleNotifications(shop, orderId);
    shop.live.publish('sales', 'orders', 'production');
  });
  await jobs.startWorkers('push-sale', async ({ deviceId, orderId }) => {
    const order = await findOrderById(shop.db, orderId);
    if (order) await sendToDevice(shop, deviceId, createSaleMessage(order));
  });
}

/** The amount and the number of the order, and no personal data. */
const createSaleMessage = ({
  id,
  orderNumber,
  totalCents,
}: Pick<Order, 'id' | 'orderNumber' | 'totalCents'>): PushMessage => ({
  title: `New order: ${formatDollars(totalCents)}`,
  body: `Order ${orderNumber}`,
  tag: orderNumber,
  path: `/admin?tab=orders&order=${id}`,
});
