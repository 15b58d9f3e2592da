import type { CloudFrame } from '#contract/owner/frames.ts';
import { Refusal } from '#contract/refusals.ts';
import { doWithAuditEntry } from '#shop/audit/audit.ts';
import { findFrameById, readFramesOfOrders, recordCloudState, type Frame } from '#shop/frames/frames.ts';
import { listFrames } from '#shop/frames/frames-list.ts';
import { ordersByIds } from '#shop/orders/orders.ts';
import { endPlayerLink, createPlayerLink } from '#shop/production/frame-links.ts';
import type { Db } from '#shop/ports/database.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { qrPhotoPath } from '../frames.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerFrameRoutes({ app, shop }: HttpScope): void {
  const { db, clock } = shop;

  mountOperation(app, 'GET /api/admin/devices', async ({ query }) =>
    (await readFramesOfOrders(db, [query.orderId])).map(toDeviceView),
  );

  mountOperation(app, 'GET /api/admin/lists/frames', async ({ query }) => {
    const framesPage = await listFrames(db, query);
    return { ...framesPage, rows: await createCloudViews(db, framesPage.rows) };
  });

  mountOperation(app, 'PUT /api/admin/devices/:id/cloud', async ({ params, body, request }) => {
    const toCloudState = ({ connectionStatus, deliveredAt }: Frame) => ({ connectionStatus, deliveredAt });
    const recordState = (tx: Db) => recordCloudState(tx, clock, params.id, body);
    const { after } = await doWithAuditEntry(shop, recordState, (noted) => ({
      act: 'note-cloud',
      subjectId: noted.after.id,
      before: toCloudState(noted.before),
      after: toCloudState(noted.after),
      ...getAuditAuthor(request),
    }));
    return (await createCloudViews(db, [after]))[0]!;
  });

  mountOperation(app, 'POST /api/admin/devices/:id/player', async ({ params, request }) => {
    const { id } = params;
    const createLink = async (tx: Db) => createPlayerLink({ db: tx, clock }, await requireFrame(tx, id));
    const auditEntry = { act: 'open-player' as const, subjectId: id, ...getAuditAuthor(request) };
    const { path, expiresAt } = await doWithAuditEntry(shop, createLink, () => auditEntry);
    return { url: shop.link(path), expiresAt: expiresAt.toISOString() };
  });

  mountOperation(app, 'DELETE /api/admin/devices/:id/player', async ({ params, request }) => {
    const { id } = params;
    const endLink = async (tx: Db) => endPlayerLink({ db: tx, clock }, (await requireFrame(tx, id)).id);
    await doWithAuditEntry(shop, endLink, () => ({ act: 'end-player', subjectId: id, ...getAuditAuthor(request) }));
    return { success: true, message: 'The player has stopped.' };
  });
}

async function requireFrame(db: Db, id: string): Promise<Frame> {
  const foundFrame = await findFrameById(db, id);
  if (!foundFrame) throw new Refusal('not-found');
  return foundFrame;
}

const toDeviceView = (frame: Frame) => ({
  id: frame.id,
  orderId: frame.orderId,
  deviceType: frame.deviceType,
  deviceName: frame.name,
  connectionStatus: frame.connectionStatus,
  invitationCode: frame.invitationCode,
  qrPhotoPath: qrPhotoPath(frame),
});

async function createCloudViews(db: Db, frames: Frame[]): Promise<CloudFrame[]> {
  const orders = await ordersByIds(db, [...new Set(frames.map((it) => it.orderId))]);
  const ordersById = new Map(orders.map((it) => [it.id, it]));
  return frames.map((frame) => {
    const order = ordersById.get(frame.orderId)!;
    return {
      ...toDeviceView(frame),
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
