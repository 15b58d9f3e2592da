import * as z from 'zod';
import { UploadView } from './frames.ts';
import type { Operations } from './operation.ts';
import { addPhotoRefusals } from './photos.ts';

const params = z.object({ id: z.string().max(64) });

/**
 * A photo in pieces, by the tus protocol 1.0 (creation and termination): what arrived stays for a day and is never sent
 * again. Beside it stands the plain form of `POST /api/upload`.
 */
export const arrivals = {
  'POST /api/arrivals': {
    summary:
      'Announce a photo that comes in pieces: Upload-Length, and Upload-Metadata with deviceId, filename and optionally key, as in POST /api/upload. The address for its pieces is told as Location',
    who: 'customer',
    status: 201,
    response: z.null(),
    refusals: [
      'frame-not-selected',
      'not-found',
      'invalid-file-type',
      'file-too-large',
      'photo-limit-reached',
      'frame-finalized',
      'frame-refunded',
      'too-many-arrivals',
    ],
    rate: 'upload',
  },
  'HEAD /api/arrivals/:id': {
    summary: 'How far a photo in pieces is, as Upload-Offset',
    who: 'customer',
    params,
    response: z.null(),
    refusals: ['not-found'],
    rate: 'piece',
  },
  'PATCH /api/arrivals/:id': {
    summary:
      'The next piece, from Upload-Offset on: 204 while more is to come, and with the last one the photo, as POST /api/upload answers',
    who: 'customer',
    params,
    piece: true,
    response: UploadView.nullable(),
    refusals: [...addPhotoRefusals, 'not-found', 'piece-out-of-order', 'piece-too-long', 'piece-too-large'],
    rate: 'piece',
  },
  'DELETE /api/arrivals/:id': {
    summary: 'Give up a photo that is half sent',
    who: 'customer',
    params,
    status: 204,
    response: z.null(),
    refusals: ['not-found'],
    rate: 'piece',
  },
} satisfies Operations;
