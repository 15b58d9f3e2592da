import * as z from 'zod';
import { ContributorView } from './collect.ts';
import { UploadView } from './frames.ts';
import type { Operations } from './operation.ts';
import { addPhotoRefusals, photoRefusals } from './photos.ts';

const id = z.string().max(64);
const token = z.string().max(200);

const createCall = { status: 201, response: z.null(), rate: 'upload' } as const;
const statusCall = { response: z.null(), rate: 'piece' } as const;
const pieceCall = { piece: true, rate: 'piece' } as const;
const deleteCall = { status: 204, response: z.null(), rate: 'piece' } as const;

const creationRefusals = ['not-found', 'invalid-file-type', 'file-too-large', 'too-many-arrivals'] as const;
const pieceRefusals = ['not-found', 'piece-out-of-order', 'piece-too-long', 'piece-too-large'] as const;
const closedFrameRefusals = ['photo-limit-reached', 'frame-finalized', 'frame-refunded'] as const;
const closedCollectLinkRefusals = ['collect-full', 'collect-paused', 'collect-ended', 'collect-finalized'] as const;

const linkCall = { who: 'link', query: z.object({ token: token.optional() }) } as const;
const contributorCall = { who: 'contributor' } as const;

/**
 * Resumable photo uploads with the tus protocol 1.0 (creation and termination extensions). Received bytes are kept for
 * a day, so the client does not send them again. Only the sender who created an upload (the customer, the guest with
 * the upload link, or the contributor) can see it. The same photos can be sent as a form: `POST /api/upload`, `POST
 * /api/customer-upload` and `POST /api/collect/:token/photos`.
 */
export const arrivals = {
  'POST /api/arrivals': {
    ...createCall,
    summary:
      'Start an upload in pieces (headers: Upload-Length, and Upload-Metadata with deviceId, filename and optionally key, as in POST /api/upload, and selection, a UUID, and place for photos chosen together). The header Location of the response is the address for the pieces',
    who: 'customer',
    refusals: ['frame-not-selected', ...creationRefusals, ...closedFrameRefusals],
  },
  'HEAD /api/arrivals/:id': {
    ...statusCall,
    summary: 'Read how many bytes of a photo in pieces have arrived, as Upload-Offset',
    who: 'customer',
    params: z.object({ id }),
    refusals: ['not-found'],
  },
  'PATCH /api/arrivals/:id': {
    ...pieceCall,
    summary:
      'Send the next piece, from Upload-Offset: returns 204, and after the last piece the photo like POST /api/upload',
    who: 'customer',
    params: z.object({ id }),
    response: UploadView.nullable(),
    refusals: [...addPhotoRefusals, ...pieceRefusals],
  },
  'DELETE /api/arrivals/:id': {
    ...deleteCall,
    summary: 'Cancel the upload of an incomplete photo',
    who: 'customer',
    params: z.object({ id }),
    refusals: ['not-found'],
  },

  'POST /api/customer-upload/arrivals': {
    ...createCall,
    ...linkCall,
    summary:
      'Start an upload in pieces by an upload link (headers: Upload-Length, and Upload-Metadata with filename and optionally key, selection and place). The header Location of the response is the address for the pieces',
    refusals: ['link-closed', ...creationRefusals, ...closedFrameRefusals],
  },
  'HEAD /api/customer-upload/arrivals/:id': {
    ...statusCall,
    ...linkCall,
    summary: 'Read how many bytes of a photo announced by this upload link have arrived, as Upload-Offset',
    params: z.object({ id }),
    refusals: ['not-found'],
  },
  'PATCH /api/customer-upload/arrivals/:id': {
    ...pieceCall,
    ...linkCall,
    summary: 'Send the next piece, from Upload-Offset: returns 204, and after the last piece the photo',
    params: z.object({ id }),
    response: UploadView.nullable(),
    refusals: ['link-closed', ...addPhotoRefusals, ...pieceRefusals],
  },
  'DELETE /api/customer-upload/arrivals/:id': {
    ...deleteCall,
    ...linkCall,
    summary: 'Cancel the upload of an incomplete photo',
    params: z.object({ id }),
    refusals: ['not-found'],
  },

  'POST /api/collect/:token/arrivals': {
    ...createCall,
    ...contributorCall,
    summary:
      'Start an upload in pieces by a collect link, with which friends add photos (headers: Upload-Length, and Upload-Metadata with filename and optionally key, selection and place). The header Location of the response is the address for the pieces',
    params: z.object({ token }),
    refusals: [...creationRefusals, ...closedCollectLinkRefusals],
  },
  'HEAD /api/collect/:token/arrivals/:id': {
    ...statusCall,
    ...contributorCall,
    summary: 'Read how many bytes of the contributor’s photo have arrived, as Upload-Offset',
    params: z.object({ token, id }),
    refusals: ['not-found'],
  },
  'PATCH /api/collect/:token/arrivals/:id': {
    ...pieceCall,
    ...contributorCall,
    summary: 'Send the next piece, from Upload-Offset: returns 204, and after the last piece the photo',
    params: z.object({ token, id }),
    response: ContributorView.shape.photos.element.nullable(),
    refusals: [...photoRefusals, ...pieceRefusals, ...closedCollectLinkRefusals],
  },
  'DELETE /api/collect/:token/arrivals/:id': {
    ...deleteCall,
    ...contributorCall,
    summary: 'Cancel the upload of the contributor’s incomplete photo',
    params: z.object({ token, id }),
    refusals: ['not-found'],
  },
} satisfies Operations;
