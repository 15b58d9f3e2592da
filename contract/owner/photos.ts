import * as z from 'zod';
import { UploadView } from '#contract/frames.ts';
import { listResponseSchema, listQuerySchema, listRefusals } from '#contract/lists.ts';
import type { Operations } from '#contract/operation.ts';
import { addPhotoRefusals } from '#contract/photos.ts';

export const AdminUpload = z
  .object({
    ...UploadView.shape,
    orderId: z.string(),
    frameId: z.string(),
    frameName: z.string(),
    /** The photo's position among the photos of its frame, as the customer sees them, beginning with 1. */
    positionInFrame: z.int(),
    adminNotes: z.string(),
    processedVideoPath: z.string().nullable(),
  })
  .meta({ id: 'AdminUpload' });
export type AdminUpload = z.infer<typeof AdminUpload>;

const id = z.object({ id: z.string().max(64) });
const notes = z.string().max(5000);

export const uploadSorts = ['date'] as const;
const query = listQuerySchema({ sorts: uploadSorts, filters: [] }).extend({ orderId: z.string().max(64).optional() });

export const ownerPhotos = {
  'GET /api/admin/uploads': {
    summary: 'List photos, newest first; the Link header names the next page',
    who: 'admin',
    area: 'orders',
    query,
    response: z.array(AdminUpload),
    refusals: listRefusals,
  },
  'GET /api/admin/lists/uploads': {
    summary: 'Read a page of photos, of all orders or of one',
    who: 'admin',
    area: 'orders',
    query,
    response: listResponseSchema(AdminUpload),
    refusals: listRefusals,
  },
  'PUT /api/admin/uploads/:id': {
    summary: 'Change the notes of a photo, which only the owner sees',
    who: 'admin',
    area: 'orders',
    params: id,
    body: z.strictObject({
      adminNotes: notes,
      /**
       * The notes when the edit began. If they have changed since, `theirs` in the refusal contains the current notes.
       */
      adminNotesBefore: notes.optional(),
    }),
    response: AdminUpload,
    refusals: ['not-found', 'notes-changed'],
  },
  'DELETE /api/admin/uploads/:id': {
    summary: 'Delete a photo of an open frame',
    who: 'admin',
    area: 'orders',
    params: id,
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'photo-in-production'],
  },
  'POST /api/admin/upload': {
    summary: 'Add photos for a customer (parts: orderId, files[]) to the order’s first open frames with room',
    who: 'admin',
    area: 'orders',
    multipart: true,
    response: z.object({
      success: z.boolean(),
      message: z.string(),
      uploadCount: z.int(),
      /** If several files were sent, the ones that were refused. */
      refused: z.array(z.object({ name: z.string(), code: z.string(), message: z.string() })),
    }),
    refusals: ['no-files-selected', 'not-found', 'file-too-large', ...addPhotoRefusals],
    rate: 'upload',
  },
} satisfies Operations;
