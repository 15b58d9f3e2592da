import * as z from 'zod';
import { motionStyles } from './motion.ts';
import { UploadProgress, UploadView } from './frames.ts';
import type { Operations } from './operation.ts';
import { CropForm, PhotoForm, PhotoPositionForm } from './photo-forms.ts';

/** Refusals that depend on the photo alone. */
export const photoRefusals = [
  'invalid-file-type',
  'photo-damaged',
  'photo-too-many-pixels',
  'photo-side-too-long',
  'photo-too-small',
  'photo-too-much-colour',
  'photo-too-slow',
  'photos-too-slow',
  'storage-full',
] as const;
/** All refusals of an added photo after its bytes have arrived, including those that depend on its frame. */
export const addPhotoRefusals = [...photoRefusals, 'photo-limit-reached', 'frame-finalized', 'frame-refunded'] as const;

export const photos = {
  'POST /api/upload': {
    summary:
      'Upload one photo to a frame (parts: deviceId, image, and optionally key: a UUID under which it is added once)',
    who: 'customer',
    multipart: true,
    response: UploadView,
    refusals: ['frame-not-selected', 'no-file', 'not-found', 'file-too-large', ...addPhotoRefusals],
    rate: 'upload',
  },
  'GET /api/uploads': {
    summary: 'List the photos of the customer; with an order-access token, only the progress of the order’s photos',
    who: 'anyone',
    query: z.object({ session: z.string().max(200).optional() }),
    response: z.array(z.union([UploadView, UploadProgress])),
  },
  'PUT /api/uploads/:id': {
    summary:
      'Change caption, title on the video, focus, moving parts and motion of the customer’s photo in an open frame',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    body: PhotoForm,
    response: UploadView,
    refusals: ['not-found', 'frame-finalized', 'frame-refunded', 'nothing-to-write', 'photo-changed'],
  },
  'PUT /api/uploads/:id/crop': {
    summary: 'Turn and crop the customer’s photo in an open frame; the original file does not change',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    body: CropForm,
    response: UploadView,
    refusals: ['not-found', 'frame-finalized', 'frame-refunded', 'photo-changed', 'crop-too-small', ...photoRefusals],
    rate: 'upload',
  },
  'GET /api/uploads/:id/seen': {
    summary:
      'Read what image analysis sees in the customer’s photo, or analyze it now; null if no analysis is available',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    response: z
      .object({
        faces: z.array(z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() })),
        /** True if people were found, and not only faces, which animals and pictures on a wall have, too. */
        showsPeople: z.boolean(),
        /** True if someone in the photo can blink, breathe or turn. */
        canLive: z.boolean(),
        hasWater: z.boolean(),
        glows: z.array(PhotoPositionForm),
        /** From 0 (completely blurred) to 1 (sharp). */
        sharpness: z.number(),
        /** The motions that suit the photo. The first one is the default. */
        motions: z.array(z.enum(motionStyles)),
      })
      .nullable(),
    refusals: ['not-found'],
    rate: 'upload',
  },
  'POST /api/uploads/:id/replacement': {
    summary: 'Use a reupload credit to replace a photo whose video disappointed the customer (part: image)',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    multipart: true,
    response: UploadView,
    refusals: ['no-file', 'not-found', 'file-too-large', 'no-credits-left', 'video-not-ready', ...addPhotoRefusals],
    rate: 'upload',
  },
  'DELETE /api/uploads/:id': {
    summary: 'Delete the customer’s photo while its frame is open',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'frame-finalized', 'frame-refunded'],
  },
} satisfies Operations;
