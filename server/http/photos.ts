import * as z from 'zod';
import { Refusal } from '#contract/refusals.ts';
import { frameOfQrPhoto, framesOfOrders } from '#shop/frames/frames.ts';
import { readableOrders } from '#shop/orders/access.ts';
import { orderById } from '#shop/orders/orders.ts';
import { addPhoto, deletePhoto, photoByFileName, photoById, photosOfFrames, shownName } from '#shop/photos/photos.ts';
import { processedUploadIds } from '#shop/production/production.ts';
import type { Door } from './door.ts';
import { ownFrame } from './frames.ts';
import { withForm, type FormRules } from './multipart.ts';
import { sendStored } from './send-file.ts';
import { serve } from './serve.ts';
import { uploadView } from './views.ts';

export function photosHttp({ app, shop }: Door): void {
  const { db, storage, workFolder } = shop;

  const photoForm: FormRules = {
    workFolder,
    fileFields: ['image'],
    noForm: 'no-file',
    tooLarge: (name) => new Refusal('file-too-large', { names: shownName(name) }),
  };
  serve(app, 'POST /api/upload', ({ customer, request }) =>
    withForm(request, photoForm, async ({ fields, files }) => {
      const deviceId = fields['deviceId'];
      if (!deviceId) throw new Refusal('frame-not-selected');
      const frame = await ownFrame(db, customer.id, deviceId);
      const file = files['image'];
      if (!file) throw new Refusal('no-file');
      const key = fields['key'];
      if (key !== undefined && !z.uuid().safeParse(key).success) throw new Refusal('invalid-request');
      return uploadView(await addPhoto(shop, frame, file, key), false);
    }),
  );

  serve(app, 'GET /api/uploads', async ({ query, request }) => {
    const customer = await app.guards.maybeCustomer(request);
    const orders = await readableOrders(db, { session: query.session, customerId: customer?.id });
    const frames = await framesOfOrders(
      db,
      orders.map((it) => it.id),
    );
    const photos = await photosOfFrames(
      db,
      frames.map((it) => it.id),
    );
    const processed = await processedUploadIds(
      db,
      photos.map((it) => it.id),
    );
    return photos.map((it) => uploadView(it, processed.has(it.id)));
  });

  serve(app, 'DELETE /api/uploads/:id', async ({ params, customer }) => {
    const upload = await photoById(db, params.id);
    if (!upload) throw new Refusal('not-found');
    await ownFrame(db, customer.id, upload.frameId);
    await deletePhoto(shop, upload);
    return { success: true, message: 'Photo deleted.' };
  });

  // A photo for its owner or the admin; for anyone else it does not exist.
  app.get<{ Params: { fileName: string } }>(
    '/uploads/:fileName',
    { schema: { hide: true } },
    async (request, reply) => {
      const { fileName } = request.params;
      const found = fileName.startsWith('qr-') ? await qrPhoto(fileName) : await photo(fileName);
      if (!found || !(await maySee(found.orderId))) throw new Refusal('not-found');
      return sendStored(storage, request, reply, found);

      async function maySee(orderId: string) {
        const customer = await app.guards.maybeCustomer(request);
        if (customer && (await orderById(db, orderId))?.customerId === customer.id) return true;
        return app.guards.isAdmin(request, reply);
      }
    },
  );

  async function photo(fileName: string) {
    const found = await photoByFileName(db, fileName);
    return found && { orderId: found.upload.orderId, key: found.key, contentType: found.contentType };
  }
  async function qrPhoto(fileName: string) {
    const key = `connections/${fileName.slice('qr-'.length)}`;
    const frame = await frameOfQrPhoto(db, key);
    return frame && { orderId: frame.orderId, key, contentType: 'image/jpeg' };
  }
}
