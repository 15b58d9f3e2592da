import type { FrameLimits } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { tidyFrameCode } from '#contract/tidy.ts';
import { storeFilesThenRow, type NewFile } from '#shop/files/files.ts';
import {
  readFramesOfOrders,
  findFrameById,
  isFinalized,
  photoLimitOf,
  freeSlotsOf,
  isErased,
  saveConnection,
  type Frame,
} from '#shop/frames/frames.ts';
import { movePackage } from '#shop/frames/capacity.ts';
import { findOrderById, readOrdersOf, type Order } from '#shop/orders/orders.ts';
import { newId } from '#shop/columns.ts';
import { reorderPhotos } from '#shop/photos/edit-photo.ts';
import { photosOfFrames } from '#shop/photos/photos.ts';
import { groupAlikePhotos, keepAlikePhotos } from '#shop/photos/alike-photos.ts';
import { changePhotoPair, suggestPair } from '#shop/photos/photo-pairs.ts';
import { setStillPhotos } from '#shop/photos/still-photos.ts';
import { decodeInTurn } from '#shop/photos/slow-photos.ts';
import { readCurrentPreviews } from '#shop/production/previews.ts';
import { finalizeFrame, readVideosByUpload } from '#shop/production/production.ts';
import type { Db } from '#shop/ports/database.ts';
import { UnusablePhoto } from '#shop/ports/imaging.ts';
import type { HttpScope } from './common/http-scope.ts';
import { receiveForm, type FormRules } from './common/multipart.ts';
import { mountOperation } from './common/serve.ts';
import { uploadView } from './views.ts';

export function registerFrameRoutes({ app, shop }: HttpScope): void {
  const { db, imaging, storage, workFolder } = shop;

  mountOperation(app, 'GET /api/customer/frames', async ({ customer }) => {
    const orders = await readOrdersOf(db, customer.id);
    const frames = await readActiveFrames(orders);
    return {
      success: true,
      frameInfo: {
        hasFrames: frames.length > 0,
        hasOrders: orders.some((it) => it.refundedCents < it.totalCents),
        deviceCount: frames.length,
        framesPurchased: orders.reduce((total, it) => total + it.quantity, 0),
        frames: frames.map(({ id, name, isActive, serialNumber, orderId }) => ({
          id,
          name,
          status: isActive ? 'active' : 'inactive',
          serialNumber,
          purchaseOrderId: orderId,
        })),
        orders: orders.map(({ id, orderNumber, productType, status, createdAt }) => ({
          id,
          orderNumber,
          productType,
          status,
          createdAt: createdAt.toISOString(),
        })),
      },
    };
  });

  mountOperation(app, 'GET /api/frame-photo-limits', async ({ customer }) => {
    const orders = await readOrdersOf(db, customer.id);
    const ordersById = new Map(orders.map((it) => [it.id, it]));
    const frames = await readActiveFrames(orders);
    const photos = await photosOfFrames(
      db,
      frames.map((it) => it.id),
    );
    const videos = await readVideosByUpload(
      db,
      photos.map((it) => it.id),
    );
    const previews = await readCurrentPreviews(db, photos);
    const photosByFrame = Map.groupBy(photos, (it) => it.frameId);
    const views = frames.map((frame): FrameLimits => ({
      deviceId: frame.id,
      deviceName: frame.name,
      deviceType: frame.deviceType,
      orderId: frame.orderId,
      orderNumber: ordersById.get(frame.orderId)!.orderNumber,
      usedPhotos: frame.usedPhotos,
      totalLimit: photoLimitOf(frame),
      basePhotos: frame.basePhotos,
      extraPhotos: frame.extraPhotos,
      laterPhotos: frame.laterPhotos,
      remainingPhotos: freeSlotsOf(frame),
      uploadFinalized: isFinalized(frame),
      invitationCode: frame.invitationCode,
      qrPhotoPath: qrPhotoPath(frame),
      connectionStatus: frame.connectionStatus,
      connectionSince: frame.connectionSince?.toISOString() ?? null,
      isInProof: frame.proofRound > 0 && frame.videosReadyAt === null,
      videosReadyAt: frame.videosReadyAt?.toISOString() ?? null,
      isErased: isErased(frame),
      isCanceled: ordersById.get(frame.orderId)!.canceledAt !== null,
      stillAnsweredAt: frame.stillAnsweredAt?.toISOString() ?? null,
      uploads: (photosByFrame.get(frame.id) ?? []).map((it) => uploadView(it, videos.get(it.id), previews.get(it.id))),
      alike: isFinalized(frame) ? [] : groupAlikePhotos(photosByFrame.get(frame.id) ?? []),
      suggestedPair: isFinalized(frame)
        ? null
        : suggestPair(photosByFrame.get(frame.id) ?? [], (it) => videos.has(it.id)),
    }));
    const sumOfFrames = (of: (frame: FrameLimits) => number) => views.reduce((total, it) => total + of(it), 0);
    return {
      frames: views,
      totalFrames: views.length,
      globalUsedPhotos: sumOfFrames((it) => it.usedPhotos),
      globalRemainingPhotos: sumOfFrames((it) => it.remainingPhotos),
      globalTotalLimit: sumOfFrames((it) => it.totalLimit),
      reuploadCredits: customer.reuploadCredits,
      hasPreviews: await shop.hasPreviews(db),
    };
  });

  mountOperation(app, 'POST /api/uploads/finalize', async ({ body, customer }) => {
    const frame = await requireOwnFrame(db, customer.id, body.deviceId);
    const photoCount = await finalizeFrame(shop, frame.id, body);
    const message =
      photoCount > 0 ? 'Thank you! We are now bringing your photos to life.' : 'This frame is closed for new photos.';
    return { success: true, message };
  });

  mountOperation(app, 'PUT /api/devices/:id/photo-order', async ({ params, body, customer }) => {
    const frame = await requireOwnFrame(db, customer.id, params.id);
    await reorderPhotos(db, frame.id, body.ids, (tx, ids) => readVideosByUpload(tx, ids));
    return { success: true, message: 'Order saved.' };
  });

  mountOperation(app, 'PUT /api/devices/:id/still-photos', async ({ params, body, customer }) => {
    const frame = await requireOwnFrame(db, customer.id, params.id);
    await setStillPhotos(shop, frame.id, body.ids, (tx, ids) => readVideosByUpload(tx, ids));
    return { success: true, message: 'Saved.' };
  });

  mountOperation(app, 'PUT /api/devices/:id/kept-photos', async ({ params, body, customer }) => {
    const frame = await requireOwnFrame(db, customer.id, params.id);
    await keepAlikePhotos(db, frame.id, body.ids);
    return { success: true, message: 'Saved.' };
  });

  mountOperation(app, 'PUT /api/devices/:id/photo-pair', async ({ params, body, customer }) => {
    const frame = await requireOwnFrame(db, customer.id, params.id);
    await changePhotoPair(shop, frame.id, body, (tx, ids) => readVideosByUpload(tx, ids));
    return { success: true, message: 'Saved.' };
  });

  mountOperation(app, 'POST /api/devices/:id/move-package', async ({ params, body, customer }) => {
    await movePackage(db, await requireOwnFrame(db, customer.id, params.id), body.toDeviceId);
    return { success: true, message: 'The photo package was moved.' };
  });

  /**
   * The active frames of these orders. Leaves out frames that were refunded before they had a photo, because nothing
   * can be done with them.
   */
  async function readActiveFrames(orders: Order[]): Promise<Frame[]> {
    const frames = await readFramesOfOrders(
      db,
      orders.map((it) => it.id),
    );
    return frames.filter((it) => it.isActive);
  }

  const connectionForm: FormRules = {
    workFolder,
    fileFields: ['qrPhoto'],
    noForm: 'connection-empty',
    tooLarge: () => new Refusal('qr-too-large'),
  };
  mountOperation(app, 'PUT /api/devices/:id/connection', async ({ params, customer, request }) => {
    const frame = await requireOwnFrame(db, customer.id, params.id);
    if (!frame.isActive) throw new Refusal('frame-refunded');
    if (isErased(frame)) throw new Refusal('frame-erased');
    return receiveForm(request, connectionForm, async ({ fields, files }) => {
      const invitationCode = tidyFrameCode(fields['invitationCode'] ?? '') || undefined;
      let codeInQr: string | undefined;
      const qr = files['qrPhoto'];
      if (invitationCode === undefined && !qr) throw new Refusal('connection-empty');
      if (invitationCode && invitationCode.length > limits.invitationCodeCharacters)
        throw new Refusal('connection-too-long');
      const newFiles: NewFile[] = [];
      if (qr) {
        const mime = await imaging.sniff(qr.path);
        if (mime !== 'image/jpeg' && mime !== 'image/png') throw new Refusal('qr-type');
        const { displayPath } = await decodeInTurn(shop, customer.id, qr.path, workFolderOf(qr.path)).catch(
          (error: unknown) => {
            throw error instanceof UnusablePhoto ? new Refusal('qr-type') : error;
          },
        );
        if (invitationCode === undefined) codeInQr = codeUnlessTooLong(await imaging.readQr(displayPath));
        newFiles.push({ key: `connections/${newId()}.jpg`, path: displayPath, contentType: 'image/jpeg' });
      }
      const qrPhotoKey = newFiles[0]?.key;
      const save = () => saveConnection(shop, frame, customer.id, { invitationCode, codeInQr, qrPhotoKey });
      await storeFilesThenRow(storage, newFiles, save, { replaced: qr ? [frame.qrPhotoKey] : [] });
      return {
        success: true,
        message: 'Connection details saved. They will be processed within 24 hours.',
      };
    });
  });
}

const codeUnlessTooLong = (read: string | undefined) =>
  read && read.length <= limits.invitationCodeCharacters ? read : undefined;

const workFolderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** The path of a frame's QR picture. It is served below /uploads, but only to the customer and the admin. */
export const qrPhotoPath = (frame: Frame) =>
  frame.qrPhotoKey === null ? null : `/uploads/${frame.qrPhotoKey.replace('connections/', 'qr-')}`;

/** The customer's own frame. Refuses the frame of another customer with not-found, so that its id is not revealed. */
export async function requireOwnFrame(db: Db, customerId: string, frameId: string): Promise<Frame> {
  const frame = await findFrameById(db, frameId);
  const order = frame && (await findOrderById(db, frame.orderId));
  if (!frame || order?.customerId !== customerId) throw new Refusal('not-found');
  return frame;
}
