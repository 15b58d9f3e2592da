import type { AdminUpload } from '#contract/owner/photos.ts';
import { Refusal } from '#contract/refusals.ts';
import { streamedCalls } from '#contract/streamed-calls.ts';
import { framesByIds } from '#shop/frames/frames.ts';
import { listPhotos } from '#shop/photos/photos-list.ts';
import { sanitizedFileName } from '#shop/photos/add-photo.ts';
import { findPhotoById, photoIdsOfFrames, type Upload } from '#shop/photos/photos.ts';
import type { Db } from '#shop/ports/database.ts';
import { videoUrl } from '#shop/production/delivery.ts';
import {
  addForCustomer,
  deleteCustomersPhoto,
  savePhotoNotes,
  readOriginalPhotosOfOrder,
} from '#shop/production/owner-photos.ts';
import { readVideosByUpload } from '#shop/production/production.ts';
import { sendArchive } from '../common/archive.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { readRowsAndSetNextLink } from '../common/list-link.ts';
import { addPhotosOneByOne, receiveForm, type FormRules } from '../common/multipart.ts';
import { sendStoredFile } from '../common/send-file.ts';
import { mountOperation } from '../common/serve.ts';
import { uploadView } from '../views.ts';

export function registerOwnerPhotoRoutes({ app, shop }: HttpScope): void {
  const { db, storage } = shop;

  const readPage = async (query: Parameters<typeof listPhotos>[1]) => {
    const photosPage = await listPhotos(db, query);
    return { ...photosPage, rows: await createUploadViews(db, photosPage.rows) };
  };
  mountOperation(app, 'GET /api/admin/uploads', (call) => readRowsAndSetNextLink(call, readPage));
  mountOperation(app, 'GET /api/admin/lists/uploads', ({ query }) => readPage(query));

  mountOperation(app, 'PUT /api/admin/uploads/:id', async ({ params, body, request }) => {
    const [view] = await createUploadViews(db, [await savePhotoNotes(shop, params.id, body, getAuditAuthor(request))]);
    return view!;
  });

  mountOperation(app, 'DELETE /api/admin/uploads/:id', async ({ params, request }) => {
    await deleteCustomersPhoto(shop, params.id, getAuditAuthor(request));
    return { success: true, message: 'Photo deleted.' };
  });

  const photosForm: FormRules = {
    workFolder: shop.workFolder,
    fileFields: [],
    listField: 'files',
    noForm: 'no-files-selected',
    tooLarge: (name) => new Refusal('file-too-large', { names: sanitizedFileName(name) }),
  };
  mountOperation(app, 'POST /api/admin/upload', ({ request }) =>
    receiveForm(request, photosForm, async ({ fields, list }) => {
      if (list.length === 0) throw new Refusal('no-files-selected');
      const auditAuthor = getAuditAuthor(request);
      const { added, refused } = await addPhotosOneByOne(list, (file) =>
        addForCustomer(shop, fields['orderId'] ?? '', file, auditAuthor),
      );
      const { length } = added;
      const message = `${length === 1 ? '1 photo' : `${length} photos`} added.`;
      return { success: refused.length === 0, message, uploadCount: length, refused };
    }),
  );

  // Downloads of all original photos of an order, and of a single original photo. They are streams outside the
  // contract.
  app.get<{ Params: { id: string } }>(
    '/api/admin/orders/:id/download',
    {
      schema: { hide: true },
      config: { stepUp: true, area: streamedCalls['GET /api/admin/orders/:id/download'].area },
    },
    async (request, reply) => {
      await app.guards.requireAdmin(request, reply);
      const { order, files } = await readOriginalPhotosOfOrder(db, request.params.id);
      if (files.length === 0) throw new Refusal('no-photos-in-order');
      return sendArchive(storage, reply, `${order.orderNumber}-photos.zip`, files);
    },
  );
  app.get<{ Params: { id: string } }>(
    '/api/admin/uploads/:id/original',
    { schema: { hide: true }, config: { area: streamedCalls['GET /api/admin/uploads/:id/original'].area } },
    async (request, reply) => {
      await app.guards.requireAdmin(request, reply);
      const photo = await findPhotoById(db, request.params.id);
      if (!photo) throw new Refusal('not-found');
      const { originalKey: key, mimeType: contentType, originalFileName: downloadName } = photo;
      return sendStoredFile(storage, request, reply, { key, contentType, downloadName });
    },
  );
}

async function createUploadViews(db: Db, photos: Upload[]): Promise<AdminUpload[]> {
  const frames = await framesByIds(db, [...new Set(photos.map((it) => it.frameId))]);
  const videos = await readVideosByUpload(
    db,
    photos.map((it) => it.id),
  );
  const framesById = new Map(frames.map((it) => [it.id, it]));
  const positions = new Map<string, number>();
  const idsByFrame = Map.groupBy(await photoIdsOfFrames(db, [...framesById.keys()]), (it) => it.frameId);
  for (const rows of idsByFrame.values()) for (const [index, { id }] of rows.entries()) positions.set(id, index + 1);
  return photos.map((photo) => {
    const video = videos.get(photo.id);
    return {
      ...uploadView(photo, video),
      orderId: photo.orderId,
      frameId: photo.frameId,
      frameName: framesById.get(photo.frameId)?.name ?? '',
      // A photo can be added between the queries. Show it last until the next request.
      positionInFrame: positions.get(photo.id) ?? positions.size + 1,
      adminNotes: photo.adminNotes,
      processedVideoPath: video?.videoKey ? videoUrl(video) : null,
    };
  });
}
