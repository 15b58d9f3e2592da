import { or, type SQL, type SQLWrapper } from 'drizzle-orm';
import * as z from 'zod';
import { Refusal } from '#contract/refusals.ts';
import { readFramesOfOrders, hasQrPhoto, refuseIfLocked, type Frame } from '#shop/frames/frames.ts';
import { findReadableOrders } from '#shop/orders/access.ts';
import { customerOfOrder } from '#shop/orders/orders.ts';
import { addPhotoTo, createCustomerTarget, sanitizedFileName } from '#shop/photos/add-photo.ts';
import { deletePhoto, changePhotoSettings } from '#shop/photos/edit-photo.ts';
import { findPhotoByFileName, findPhotoById, photosOfFrames, queuePreviews, type Upload } from '#shop/photos/photos.ts';
import { cropPhoto } from '#shop/photos/crop-photo.ts';
import { analyzeStoredPhoto } from '#shop/photos/photo-analysis.ts';
import type { Db } from '#shop/ports/database.ts';
import { readVideosByUpload, readVideosOfUploads } from '#shop/production/production.ts';
import { readCurrentPreviews, findOfferedMotions, previewByFileName } from '#shop/production/previews.ts';
import { replaceWithCredit } from '#shop/production/replace.ts';
import type { HttpScope } from './common/http-scope.ts';
import { requireOwnFrame } from './frames.ts';
import { receiveForm, type FormRules } from './common/multipart.ts';
import { sendStoredFile } from './common/send-file.ts';
import { mountOperation } from './common/serve.ts';
import { progressView, uploadView } from './views.ts';

export function registerPhotoRoutes({ app, shop }: HttpScope): void {
  const { db, storage, workFolder } = shop;

  const photoForm: FormRules = {
    workFolder,
    fileFields: ['image'],
    noForm: 'no-file',
    tooLarge: (name) => new Refusal('file-too-large', { names: sanitizedFileName(name) }),
  };
  mountOperation(app, 'POST /api/upload', ({ customer, request }) =>
    receiveForm(request, photoForm, async ({ fields, files }) => {
      const deviceId = fields['deviceId'];
      if (!deviceId) throw new Refusal('frame-not-selected');
      const frame = await requireOwnFrame(db, customer.id, deviceId);
      const file = files['image'];
      if (!file) throw new Refusal('no-file');
      const key = fields['key'];
      if (key !== undefined && !z.uuid().safeParse(key).success) throw new Refusal('invalid-request');
      return uploadView(await addPhotoTo(shop, createCustomerTarget(frame, customer.id), file, key));
    }),
  );

  mountOperation(app, 'GET /api/uploads', async ({ query, request }) => {
    const customer = await app.guards.findCustomer(request);
    const { orders, isByToken } = await findReadableOrders(db, { session: query.session, customerId: customer?.id });
    const frames = await readFramesOfOrders(
      db,
      orders.map((it) => it.id),
    );
    const photos = await photosOfFrames(
      db,
      frames.map((it) => it.id),
    );
    const videos = await readVideosByUpload(
      db,
      photos.map((it) => it.id),
    );
    const views = photos.map((it) => uploadView(it, videos.get(it.id)));
    return isByToken ? views.map(progressView) : views;
  });

  /** The customer's own photo and its frame. Refuses the photo of another customer with not-found. */
  async function requireOwnPhoto(customerId: string, id: string): Promise<{ upload: Upload; frame: Frame }> {
    const upload = await findPhotoById(db, id);
    if (!upload) throw new Refusal('not-found');
    return { upload, frame: await requireOwnFrame(db, customerId, upload.frameId) };
  }
  const createIsPhotoLocked = (upload: Upload) => async (tx: Db) =>
    (await readVideosOfUploads(tx, [upload.id])).length > 0;

  mountOperation(app, 'PUT /api/uploads/:id', async ({ params, body, customer }) => {
    const { upload } = await requireOwnPhoto(customer.id, params.id);
    const changedPhoto = await changePhotoSettings(shop, upload, body, createIsPhotoLocked(upload));
    return uploadView(changedPhoto, undefined, (await readCurrentPreviews(db, [changedPhoto])).get(changedPhoto.id));
  });

  mountOperation(app, 'PUT /api/uploads/:id/crop', async ({ params, body, customer }) => {
    const { upload, frame } = await requireOwnPhoto(customer.id, params.id);
    refuseIfLocked(frame);
    return uploadView(await cropPhoto(shop, upload, body, customer.id, createIsPhotoLocked(upload)));
  });

  mountOperation(app, 'GET /api/uploads/:id/seen', async ({ params, customer }) => {
    const { upload } = await requireOwnPhoto(customer.id, params.id);
    const analysis = await analyzeStoredPhoto(shop, upload);
    if (!analysis) return null;
    const motions = await findOfferedMotions(db, upload, analysis);
    // Queue missing previews, because photos from before the shop had previews have none.
    await db.transaction((tx) => queuePreviews(tx, shop, upload.orderId));
    const faces = analysis.faces.filter((it) => it.isMain);
    const { people, water, glows, sharpness } = analysis;
    const canLive = faces.some((it) => it.mayTurn || it.mayBlink);
    const showsPeople = people > 0;
    return { faces, showsPeople, canLive, hasWater: water !== undefined, glows, sharpness, motions };
  });

  mountOperation(app, 'POST /api/uploads/:id/replacement', ({ params, customer, request }) =>
    receiveForm(request, photoForm, async ({ files }) => {
      const { upload, frame } = await requireOwnPhoto(customer.id, params.id);
      const file = files['image'];
      if (!file) throw new Refusal('no-file');
      // Without a credit, refuse before the photo is processed. The credit is used later, in the transaction that
      // stores the photo.
      if (customer.reuploadCredits === 0) throw new Refusal('no-credits-left');
      const photo = await replaceWithCredit(shop, frame, upload, file, customer.id);
      return uploadView(photo, (await readVideosByUpload(db, [photo.id])).get(photo.id));
    }),
  );

  mountOperation(app, 'DELETE /api/uploads/:id', async ({ params, customer }) => {
    const { upload } = await requireOwnPhoto(customer.id, params.id);
    await deletePhoto(shop, upload, createIsPhotoLocked(upload));
    return { success: true, message: 'Photo deleted.' };
  });

  // A photo is served to its customer, a holder of the customer's upload link, the contributor who added it, and the
  // admin. Everyone else gets not-found.
  app.get<{ Params: { fileName: string } }>(
    '/uploads/:fileName',
    { schema: { hide: true } },
    async (request, reply) => {
      const { fileName } = request.params;
      const adminCondition = await app.guards.adminCondition(request, reply, 'orders');
      const maySeeOrder = (orderId: SQLWrapper) =>
        or(adminCondition, app.guards.customerCondition(request, customerOfOrder(orderId)))!;
      const foundFile = fileName.startsWith('qr-')
        ? await sendQrPhoto(fileName, maySeeOrder)
        : fileName.startsWith('preview-')
          ? await previewByFileName(db, fileName, maySeeOrder)
          : await findPhotoByFileName(db, fileName, ({ orderId, contributorId }) =>
              or(
                maySeeOrder(orderId),
                app.guards.uploadLinkCondition(request, customerOfOrder(orderId)),
                app.guards.contributorCondition(request, contributorId),
              )!,
            );
      if (!foundFile) throw new Refusal('not-found');
      return sendStoredFile(storage, request, reply, foundFile);
    },
  );

  async function sendQrPhoto(fileName: string, maySee: (orderId: SQLWrapper) => SQL) {
    const key = `connections/${fileName.slice('qr-'.length)}`;
    return (await hasQrPhoto(db, key, maySee)) ? { key, contentType: 'image/jpeg' } : undefined;
  }
}
