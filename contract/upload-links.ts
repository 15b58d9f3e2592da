import * as z from 'zod';
import { UploadView } from './frames.ts';
import type { Operations } from './operation.ts';
import { addPhotoRefusals } from './photos.ts';

/** The data of an upload link, apart from its photos. */
export const UploadLinkView = z.object({
  customerId: z.string(),
  customerName: z.string(),
  expiresAt: z.iso.datetime(),
  /** True if the photos were finalized through the link. The link is then read-only. */
  isClosed: z.boolean(),
  /** Counted over all frames that are not locked. */
  usedPhotos: z.int(),
  remainingPhotos: z.int(),
});
export type UploadLinkView = z.infer<typeof UploadLinkView>;

/** If the token is left out, the cookie that it was exchanged for is used. */
const query = z.object({ token: z.string().max(200).optional() });
const id = z.string().max(64);
const successResponse = z.object({ success: z.boolean(), message: z.string() });
const rate = 'delivery';

export const uploadLinks = {
  'GET /api/upload-token/validate/:token': {
    summary: 'Exchange an upload link’s token for a cookie; an invalid token returns `valid: false` without a name',
    who: 'anyone',
    params: z.object({ token: z.string().max(200) }),
    response: z.discriminatedUnion('valid', [
      z.object({ valid: z.literal(true), customerId: z.string(), customerName: z.string(), message: z.string() }),
      z.object({ valid: z.literal(false), message: z.string() }),
    ]),
    rate: 'token-validation',
  },
  'GET /api/customer-upload': {
    summary: 'Read the customer, the remaining photo slots and the expiry of an upload link',
    who: 'link',
    query,
    response: UploadLinkView,
    rate,
  },
  'GET /api/customers/:customerId/uploads': {
    summary: 'List the photos of the upload link’s customer, oldest first',
    who: 'link',
    params: z.object({ customerId: id }),
    query,
    response: z.array(UploadView),
    refusals: ['not-found'],
    rate,
  },
  'POST /api/customer-upload': {
    summary:
      'Add photos by an upload link (parts: photos[], token if there is no cookie, and optionally key: a UUID under which they are added once) to the first open frames with room',
    who: 'link',
    query,
    multipart: true,
    response: z.object({
      success: z.boolean(),
      message: z.string(),
      uploads: z.array(UploadView),
      /** If several files were sent, the ones that were refused. */
      refused: z.array(z.object({ name: z.string(), code: z.string(), message: z.string() })),
    }),
    refusals: ['link-closed', 'no-file', 'not-found', 'file-too-large', ...addPhotoRefusals],
    rate: 'upload',
  },
  'DELETE /api/customer-upload/:id': {
    summary: 'Delete a photo of the upload link’s customer while its frame is open',
    who: 'link',
    params: z.object({ id }),
    query,
    response: successResponse,
    refusals: ['not-found', 'link-closed', 'frame-finalized', 'frame-refunded'],
    rate,
  },
  'POST /api/customer-upload/finalize': {
    summary: 'Lock the open frames that have photos and start production; the link then only shows photos',
    who: 'link',
    query,
    response: successResponse,
    refusals: ['link-closed', 'no-photos-yet', 'frame-finalized', 'frame-refunded', 'photos-waiting'],
    rate,
  },
} satisfies Operations;
