import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '#contract/refusals.ts';
import { countCustomers } from '#shop/accounts/accounts.ts';
import { passwordFits } from '#shop/accounts/passwords.ts';
import { beginSession, endSession } from '#shop/accounts/sessions.ts';
import { failSignIn, forgiveSignIn, signInDelay } from '#shop/accounts/sign-in-delay.ts';
import { recordAct } from '#shop/audit/audit.ts';
import { framesOfOrders } from '#shop/frames/frames.ts';
import { editOrder, historiesOf, listOrders, salesFigures, type Order, type OrderEvent } from '#shop/orders/orders.ts';
import { countPhotos, listPhotos } from '#shop/photos/photos.ts';
import { videoUrl } from '#shop/production/delivery.ts';
import { videosOfFrames } from '#shop/production/production.ts';
import type { AdminOrder } from '#contract/admin.ts';
import type { Door } from './door.ts';
import { qrPhotoPath } from './frames.ts';
import { serve } from './serve.ts';
import { uploadView } from './views.ts';

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
    const orders = await listOrders(db, { limit: pageSize });
    const histories = await historiesOf(
      db,
      orders.map((it) => it.id),
    );
    return orders.map((order) => adminOrderView(order, histories.get(order.id) ?? []));
  });

  serve(app, 'PUT /api/admin/orders/:id', async ({ params, body, request }) => {
    const edited = await editOrder(db, clock, params.id, body);
    if (!edited) throw new Refusal('not-found');
    const { before, after } = edited;
    await recordAct(db, clock, {
      act: 'edit-order',
      subjectId: after.id,
      before: { status: before.status, notes: before.notes },
      after: { status: after.status, notes: after.notes },
      requestId: request.id,
    });
    return adminOrderView(after, (await historiesOf(db, [after.id])).get(after.id) ?? []);
  });

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

export const adminOrderView = (order: Order, events: OrderEvent[]): AdminOrder => ({
  id: order.id,
  orderNumber: order.orderNumber,
  customerId: order.customerId,
  customerEmail: order.email,
  customerFirstName: order.firstName,
  customerLastName: order.lastName,
  productType: order.productType,
  quantity: order.quantity,
  lines: order.lines,
  subtotalAmount: order.subtotalCents,
  discountAmount: order.discountCents,
  taxAmount: order.taxCents,
  taxRate: order.taxRate,
  taxJurisdiction: order.taxJurisdiction,
  totalAmount: order.totalCents,
  orderStatus: order.status,
  notes: order.notes,
  stripePaymentIntentId: order.stripePaymentIntentId,
  shippingAddress: order.shippingAddress,
  createdAt: order.createdAt.toISOString(),
  updatedAt: order.updatedAt.toISOString(),
  events: events.map(({ kind, words, at }) => ({ kind, words, at: at.toISOString() })),
});
