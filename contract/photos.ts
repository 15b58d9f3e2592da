import * as z from 'zod';
import { UploadView } from './frames.ts';
import type { Operations } from './operation.ts';

/** Specification 2, section 5: what the upload page takes. */
export const photoTypes = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/heic': ['heic'],
  'image/heif': ['heif'],
} as const;

export const photos = {
  'POST /api/upload': {
    summary:
      'Upload one photo (parts: deviceId, image, optionally key: a UUID under which it is taken once) to a frame',
    who: 'customer',
    multipart: true,
    response: UploadView,
    refusals: [
      'frame-not-selected',
      'no-file',
      'not-found',
      'invalid-file-type',
      'file-too-large',
      'photo-damaged',
      'photo-too-many-pixels',
      'photo-limit-reached',
      'frame-finalized',
      'frame-refunded',
      'storage-full',
    ],
    rate: 'upload',
  },
  'GET /api/uploads': {
    summary: 'The photos of a session or an order-access token',
    who: 'anyone',
    query: z.object({ session: z.string().max(200).optional() }),
    response: z.array(UploadView),
  },
  'DELETE /api/uploads/:id': {
    summary: 'Delete one’s own photo while its frame is open',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'frame-finalized'],
  },
} satisfies Operations;
