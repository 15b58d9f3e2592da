import type { CloudFrame } from '#contract/owner/frames.ts';
import { Refusal } from '#contract/refusals.ts';
import { recordAct } from '#shop/audit/audit.ts';
import { frameById, framesOfOrders, noteCloud, type Frame } from '#shop/frames/frames.ts';
import { listFrames } from '#shop/frames/frames-list.ts';
import { ordersByIds } from '#shop/orders/orders.ts';
import { endPlayer, openPlayer } from '#shop/production/frame-links.ts';
import type { Db } from '#shop/ports/database.ts';
import type { Door } from '../door/door.ts';
import { qrPhotoPath } from '../frames.ts';
import { serve } from '../door/serve.ts';

export function ownerFramesHttp({ app, shop }: Door): void {
  const { db, clock } = shop;

  serve(app, 'GET /api/admin/devices', async ({ query }) =>
    (await framesOfOrders(db, [query.orderId])).map(deviceView),
  );

  serve(app, 'GET /api/admin/lists/frames', async ({ query }) => {
    const answer = await listFrames(db, query);
    return { ...answer, rows: await cloudViews(db, answer.rows) };
  });

  serve(app, 'PUT /api/admin/devices/:id/cloud', async ({ params, body, request }) => {
    const before = await frame(params.id);
    const after = await noteCloud(db, clock, params.id, body);
    const stateOf = ({ connectionStatus, deliveredAt }: Frame) => ({ connectionStatus, deliveredAt });
    await recordAct(db, clock, {
      act: 'note-cloud',
      subjectId: after.id,
      before: stateOf(before),
      after: stateOf(after),
      requestId: request.id,
    });
    return (await cloudViews(db, [after]))[0]!;
  });

  serve(app, 'POST /api/admin/devices/:id/player', async ({ params, request }) => {
    const { path, expiresAt } = await openPlayer(shop, await frame(params.id));
    await recordAct(db, clock, { act: 'open-player', subjectId: params.id, requestId: request.id });
    return { url: shop.link(path), expiresAt: expiresAt.toISOString() };
  });

  serve(app, 'DELETE /api/admin/devices/:id/player', async ({ params, request }) => {
    const { id } = await frame(params.id);
    await endPlayer(shop, id);
    await recordAct(db, clock, { act: 'end-player', subjectId: id, requestId: request.id });
    return { success: true, message: 'The player is stopped.' };
  });

  async function frame(id: string): Promise<Frame> {
    const found = await frameById(db, id);
    if (!found) throw new Refusal('not-found');
    return found;
  }
}

const deviceView = (frame: Frame) => ({
  id: frame.id,
  orderId: frame.orderId,
  deviceType: frame.deviceType,
  deviceName: frame.name,
  connectionStatus: frame.connectionStatus,
  invitationCode: frame.invitationCode,
  qrPhotoPath: qrPhotoPath(frame),
});

async function cloudViews(db: Db, frames: Frame[]): Promise<CloudFrame[]> {
  const orders = await ordersByIds(db, [...new Set(frames.map((it) => it.orderId))]);
  const ordersById = new Map(orders.map((it) => [it.id, it]));
  return frames.map((frame) => {
    const order = ordersById.get(frame.orderId)!;
    return {
      ...deviceView(frame),
      orderNumber: order.orderNumber,
      customerName: `${order.firstName} ${order.lastName}`.trim(),
      customerEmail: order.email,
      photoCount: frame.usedPhotos,
      videosReadyAt: frame.videosReadyAt?.toISOString() ?? null,
      deliveredAt: frame.deliveredAt?.toISOString() ?? null,
      createdAt: frame.createdAt.toISOString(),
    };
  });
}
