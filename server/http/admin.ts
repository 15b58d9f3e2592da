import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '#contract/refusals.ts';
import { countCustomers } from '#shop/accounts/accounts.ts';
import { passwordFits } from '#shop/accounts/passwords.ts';
import { beginSession, endSession } from '#shop/accounts/sessions.ts';
import { failSignIn, forgiveSignIn, signInDelay } from '#shop/accounts/sign-in-delay.ts';
import { recordAct } from '#shop/audit/audit.ts';
import { framesOfOrders } from '#shop/frames/frames.ts';
import { historiesOf, listOrders, orderById, salesFigures, type Order, type OrderEvent } from '#shop/orders/orders.ts';
import { editOrder, isShippable, shipOrder } from '#shop/orders/owner-edits.ts';
import { disputesOfOrders, isMoneyGone, isOpenDispute, type Dispute } from '#shop/payments/disputes.ts';
import { mismatchedPayments } from '#shop/payments/payments.ts';
import { offerRefund, refundOrder, refundsOfOrders, type Refund } from '#shop/payments/refunds.ts';
import { countPhotos, listPhotos } from '#shop/photos/photos.ts';
import { videoUrl } from '#shop/production/delivery.ts';
import { videosOfFrames } from '#shop/production/production.ts';
import type { AdminDispute, AdminOrder, AdminRefund } from '#contract/admin.ts';
import type { Db } from '#shop/ports.ts';
import type { Door } from './door.ts';
import { qrPhotoPath } from './frames.ts';
import { serve } from './serve.ts';
import { purchaseView, uploadView } from './views.ts';

/** Newest rows an admin list shows in one answer. */
const pageSize = 500;

export function adminHttp({ app, shop, jar }: Door): void {
  const { db, clock } = shop;

  serve(app, 'GET /api/admin/session', async ({ request, reply }) =>
    (await app.guards.isAdmin(request, reply))
      ? { isAuthenticated: true, admin: { username: 'owner' } }
      : { isAuthenticated: false },
  );

  serve(app, 'POST /api/admin/auth/password', async ({ body, request, reply }) => {
    app.guards.refuseForeignAddress(request);
    const tried = [`admin:${request.ip}`];
    await wait(await signInDelay(db, clock, tried));
    if (!(await passwordFits(body.password, shop.adminPasswordHash))) {
      await failSignIn(db, clock, tried);
      await recordAct(db, clock, { act: 'admin-sign-in-failed', requestId: request.id });
      throw new Refusal('wrong-admin-password');
    }
    await forgiveSignIn(db, tried);
    await endBrought(request);
    const session = await beginSession(db, clock, { kind: 'admin' });
    jar.set(reply, 'admin-sid', session.token, session.maxAgeSeconds);
    await recordAct(db, clock, { act: 'admin-sign-in', requestId: request.id });
    return { success: true, message: 'Welcome back.' };
  });

  serve(app, 'POST /api/admin/auth/replit', ({ request }) => {
    app.guards.refuseForeignAddress(request);
    throw new Refusal('owner-sign-in-off');
  });

  serve(app, 'POST /api/admin/logout', async ({ request, reply }) => {
    app.guards.refuseForeignAddress(request);
    await endBrought(request);
    jar.clear(reply, 'admin-sid');
    return { success: true, message: 'You have been logged out.' };
  });

  serve(app, 'GET /api/admin/stats', async () => {
    const [sales, totalUsers, totalUploads] = await Promise.all([
      salesFigures(db),
      countCustomers(db),
      countPhotos(db),
    ]);
    return { totalOrders: sales.totalOrders, totalUsers, totalUploads, totalRevenue: sales.totalRevenueCents };
  });

  serve(app, 'GET /api/admin/orders', async () => {
    return orderViews(db, await listOrders(db, { limit: pageSize }));
  });

  serve(app, 'PUT /api/admin/orders/:id', async ({ params, body, request }) => {
    await editOrder(shop, params.id, body, { requestId: request.id });
    return orderView(db, params.id);
  });

  serve(app, 'GET /api/admin/orders/:id/refunds', async ({ params }) => {
    const { remainingCents, packageCents, ...offer } = await offerRefund(shop, params.id);
    return { ...offer, remainingAmount: remainingCents, packageAmount: packageCents };
  });

  serve(app, 'POST /api/admin/orders/:id/refunds', async ({ params, body, request }) => {
    await refundOrder(shop, params.id, body, { requestId: request.id });
    return orderView(db, params.id);
  });

  serve(app, 'POST /api/admin/orders/:id/shipment', async ({ params, body, request }) => {
    await shipOrder(shop, params.id, body, { requestId: request.id });
    return orderView(db, params.id);
  });

  serve(app, 'GET /api/admin/payment-problems', async () =>
    (await mismatchedPayments(db)).map((payment) => ({
      id: payment.id,
      stripePaymentIntentId: payment.intentId ?? '',
      customerEmail: payment.details?.email ?? null,
      expectedAmount: payment.totalCents,
      createdAt: payment.createdAt.toISOString(),
    })),
  );

  serve(app, 'GET /api/admin/uploads', async ({ query }) => {
    const photos = await listPhotos(db, { orderId: query.orderId, limit: pageSize });
    const frames = await framesOfOrders(db, [...new Set(photos.map((it) => it.orderId))]);
    const videos = await videosOfFrames(
      db,
      frames.map((it) => it.id),
    );
    const framesById = new Map(frames.map((it) => [it.id, it]));
    const videosByUpload = new Map(videos.map((it) => [it.uploadId, it]));
    return photos.map((photo) => {
      const video = videosByUpload.get(photo.id);
      return {
        ...uploadView(photo, video?.state === 'approved'),
        orderId: photo.orderId,
        frameId: photo.frameId,
        frameName: framesById.get(photo.frameId)?.name ?? '',
        adminNotes: photo.adminNotes,
        processedVideoPath: video?.videoKey ? videoUrl(video) : null,
      };
    });
  });

  serve(app, 'GET /api/admin/devices', async ({ query }) =>
    (await framesOfOrders(db, [query.orderId])).map((frame) => ({
      id: frame.id,
      orderId: frame.orderId,
      deviceType: frame.deviceType,
      deviceName: frame.name,
      connectionStatus: frame.connectionStatus,
      invitationCode: frame.invitationCode,
      qrPhotoPath: qrPhotoPath(frame),
    })),
  );

  async function endBrought(request: Parameters<typeof jar.read>[0]) {
    const brought = jar.read(request, 'admin-sid');
    if (brought !== undefined) await endSession(db, brought);
  }
}

async function orderView(db: Db, orderId: string): Promise<AdminOrder> {
  const order = await orderById(db, orderId);
  const [view] = order ? await orderViews(db, [order]) : [];
  if (!view) throw new Refusal('not-found');
  return view;
}

async function orderViews(db: Db, orders: Order[]): Promise<AdminOrder[]> {
  const ids = orders.map((it) => it.id);
  const [histories, refunds, disputes] = await Promise.all([
    historiesOf(db, ids),
    refundsOfOrders(db, ids),
    disputesOfOrders(db, ids),
  ]);
  const refundsByOrder = Map.groupBy(refunds, (it) => it.orderId);
  const disputesByOrder = Map.groupBy(disputes, (it) => it.orderId);
  return orders.map((order) => ({
    ...factsOf(order),
    refunds: (refundsByOrder.get(order.id) ?? []).map(refundView),
    disputes: (disputesByOrder.get(order.id) ?? []).map(disputeView),
    events: (histories.get(order.id) ?? []).map(eventView),
  }));
}

const refundView = ({ id, amountCents, reason, state, photosWithdrawn, createdAt }: Refund): AdminRefund => ({
  id,
  amount: amountCents,
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
  holdsMoney: isMoneyGone(dispute),
  respondBy: dispute.respondBy?.toISOString() ?? null,
  createdAt: dispute.createdAt.toISOString(),
});
const eventView = ({ kind, words, at }: OrderEvent) => ({ kind, words, at: at.toISOString() });

const factsOf = (order: Order): Omit<AdminOrder, 'refunds' | 'disputes' | 'events'> => ({
  ...purchaseView(order),
  customerId: order.customerId,
  customerEmail: order.email,
  isShippable: isShippable(order),
  orderStatus: order.status,
  notes: order.notes,
  stripePaymentIntentId: order.stripePaymentIntentId,
  updatedAt: order.updatedAt.toISOString(),
});
