import * as z from 'zod';
import type { UploadView } from '#contract/frames.ts';
import { Refusal, refusals } from '#contract/refusals.ts';
import { isOpen, freeSlotsOf } from '#shop/frames/frames.ts';
import { sanitizedFileName } from '#shop/photos/add-photo.ts';
import { photosOfFrames, type Upload } from '#shop/photos/photos.ts';
import { computeSecondsUntil } from '#shop/ports/clock.ts';
import { readVideosByUpload } from '#shop/production/production.ts';
import {
  addByLink,
  deleteByLink,
  finalizeByLink,
  findFramesWithRoom,
  readUploadLink,
  type UploadLink,
} from '#shop/upload-links/upload-links.ts';
import type { HttpScope } from './common/http-scope.ts';
import { addPhotosOneByOne, receiveForm, type FormRules } from './common/multipart.ts';
import { mountOperation } from './common/serve.ts';
import { uploadView } from './views.ts';

export function registerUploadLinkRoutes({ app, shop, jar }: HttpScope): void {
  const { db, workFolder } = shop;

  mountOperation(app, 'GET /api/upload-token/validate/:token', async ({ params, reply }) => {
    const link = await readUploadLink(db, params.token);
    if (!link) return { valid: false as const, message: refusals['link-expired'].words };
    // Later requests use this cookie, so that the token can be removed from the address bar.
    jar.set(reply, 'upload-link', params.token, computeSecondsUntil(shop.clock, link.expiresAt));
    const customerName = formatCustomerName(link);
    return { valid: true as const, customerId: link.customer.id, customerName, message: `Welcome, ${customerName}.` };
  });

  mountOperation(app, 'GET /api/customer-upload', async ({ link }) => {
    const openFrames = (await findFramesWithRoom(db, link.customer.id)).filter(isOpen);
    return {
      customerId: link.customer.id,
      customerName: formatCustomerName(link),
      expiresAt: link.expiresAt.toISOString(),
      isClosed: link.isClosed,
      usedPhotos: openFrames.reduce((sum, it) => sum + it.usedPhotos - it.sealedPhotos, 0),
      remainingPhotos: openFrames.reduce((sum, it) => sum + Math.max(0, freeSlotsOf(it)), 0),
    };
  });

  mountOperation(app, 'GET /api/customers/:customerId/uploads', async ({ params, link }) => {
    if (params.customerId !== link.customer.id) throw new Refusal('not-found');
    const frames = await findFramesWithRoom(db, link.customer.id);
    return createViews(
      await photosOfFrames(
        db,
        frames.map((it) => it.id),
      ),
    );
  });

  mountOperation(app, 'POST /api/customer-upload', ({ request, link: known }) => {
    let link: UploadLink | undefined = known;
    const form: FormRules = {
      workFolder,
      fileFields: [],
      listField: 'photos',
      noForm: 'no-file',
      tooLarge: (name) => new Refusal('file-too-large', { names: sanitizedFileName(name) }),
      isAdmitted: async ({ token }) => {
        if (token !== undefined && token !== link?.token) link = await app.guards.requireUploadLink(request, token);
        return link !== undefined;
      },
    };
    return receiveForm(request, form, async ({ fields, list }) => {
      await form.isAdmitted!(fields);
      if (!link) throw new Refusal('link-missing');
      if (list.length === 0) throw new Refusal('no-file');
      const { key } = fields;
      if (key !== undefined && !z.uuid().safeParse(key).success) throw new Refusal('invalid-request');
      const { added, refused } = await addPhotosOneByOne(list, (file, index) =>
        addByLink(shop, link!, file, key && (index === 0 ? key : `${key}:${index}`)),
      );
      return {
        success: refused.length === 0,
        message: `${added.length === 1 ? '1 photo' : `${added.length} photos`} added.`,
        uploads: await createViews(added),
        refused,
      };
    });
  });

  mountOperation(app, 'DELETE /api/customer-upload/:id', async ({ params, link }) => {
    await deleteByLink(shop, link, params.id);
    return { success: true, message: 'Photo deleted.' };
  });

  mountOperation(app, 'POST /api/customer-upload/finalize', async ({ link }) => {
    await finalizeByLink(shop, link);
    return { success: true, message: 'Thank you! We’re bringing your photos to life now.' };
  });

  /** The photos without their videos, because holders of the link may not see videos. */
  async function createViews(photos: Upload[]): Promise<UploadView[]> {
    const videos = await readVideosByUpload(
      db,
      photos.map((it) => it.id),
    );
    return photos.map((it) => ({ ...uploadView(it, videos.get(it.id)), video: null }));
  }
}

const formatCustomerName = ({ customer: { firstName, lastName } }: UploadLink) => `${firstName} ${lastName}`.trim();
