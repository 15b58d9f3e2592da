import * as z from 'zod';
import { orderStatuses } from './orders.ts';
import { limits } from './limits.ts';
import type { Operations } from './operation.ts';
import { MovesForm, PlaceForm } from './photo-forms.ts';

export const deviceTypes = ['kinframe', 'byof'] as const;
/** none: nothing saved yet; pending: details saved, staff will connect it within 24 hours. */
export const connectionStatuses = ['none', 'pending', 'connected'] as const;

export const UploadView = z
  .object({
    id: z.string(),
    url: z.string(),
    thumbnailUrl: z.string(),
    fileName: z.string(),
    originalFileName: z.string(),
    mimeType: z.string(),
    /** Bytes. */
    fileSize: z.int(),
    width: z.int(),
    height: z.int(),
    uploadedAt: z.iso.datetime(),
    /** Of the bytes as they were sent: the same photo again is known by it. */
    sha256: z.string(),
    caption: z.string().nullable(),
    /** The caption is to be written on its film. */
    isTitled: z.boolean(),
    /** Where the customer wants the eye to go. */
    focus: z.nullable(PlaceForm),
    moves: z.nullable(MovesForm),
    /** True once it was finalized: it stays, also where its frame was opened for more photos. */
    isLocked: z.boolean(),
    /** True once the owner has accepted its video. */
    isProcessed: z.boolean(),
    /** Brought by somebody else: its customer has not accepted it yet. */
    isWaiting: z.boolean(),
    /** The accepted video, for its customer and the owner. */
    video: z.object({ url: z.string(), posterUrl: z.string(), downloadUrl: z.string() }).nullable(),
  })
  .meta({ id: 'Upload' });
export type UploadView = z.infer<typeof UploadView>;

export const FrameLimits = z
  .object({
    deviceId: z.string(),
    deviceName: z.string(),
    deviceType: z.enum(deviceTypes),
    orderId: z.string(),
    orderNumber: z.string(),
    usedPhotos: z.int(),
    totalLimit: z.int(),
    basePhotos: z.int(),
    extraPhotos: z.int(),
    /** How many of them were bought later, by an order of their own. */
    laterPhotos: z.int(),
    remainingPhotos: z.int(),
    uploadFinalized: z.boolean(),
    invitationCode: z.string().nullable(),
    qrPhotoPath: z.string().nullable(),
    connectionStatus: z.enum(connectionStatuses),
    /** Since when it is pending, or connected. */
    connectionSince: z.iso.datetime().nullable(),
    /** Its customer is asked to look at the videos, before they are delivered. */
    isInProof: z.boolean(),
    /** When all its videos were accepted. */
    videosReadyAt: z.iso.datetime().nullable(),
    /** They were deleted after delivery, and no others are to come. */
    isErased: z.boolean(),
    uploads: z.array(UploadView),
  })
  .meta({ id: 'FrameLimits' });
export type FrameLimits = z.infer<typeof FrameLimits>;

export const FramePhotoLimits = z.object({
  frames: z.array(FrameLimits),
  totalFrames: z.int(),
  globalUsedPhotos: z.int(),
  globalRemainingPhotos: z.int(),
  globalTotalLimit: z.int(),
  /** How many photos whose videos disappointed may still be replaced. */
  reuploadCredits: z.int(),
});
export type FramePhotoLimits = z.infer<typeof FramePhotoLimits>;

export const frames = {
  'GET /api/customer/frames': {
    summary: 'Which frames and orders the customer has; decides where to go after signing in',
    who: 'customer',
    response: z.object({
      success: z.boolean(),
      frameInfo: z.object({
        hasFrames: z.boolean(),
        hasOrders: z.boolean(),
        deviceCount: z.int(),
        framesPurchased: z.int(),
        frames: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            status: z.string(),
            serialNumber: z.string().nullable(),
            purchaseOrderId: z.string(),
          }),
        ),
        orders: z.array(
          z.object({
            id: z.string(),
            orderNumber: z.string(),
            productType: z.string(),
            status: z.enum(orderStatuses),
            createdAt: z.iso.datetime(),
          }),
        ),
      }),
    }),
  },
  'GET /api/frame-photo-limits': {
    summary: 'Used and remaining photos of every frame, with its photos',
    who: 'customer',
    query: z.object({ refresh: z.string().max(40).optional() }),
    response: FramePhotoLimits,
  },
  'POST /api/uploads/finalize': {
    summary: 'Lock a frame’s photos and start production, or close the places kept where none has come',
    who: 'customer',
    body: z.object({
      deviceId: z.string('Please choose a frame.').min(1).max(64),
      /** Places without a photo stay open for later ones. */
      keepPlaces: z.boolean().default(false),
    }),
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'no-photos-yet', 'frame-finalized', 'frame-refunded', 'photos-waiting'],
  },
  'PUT /api/devices/:id/connection': {
    summary: 'Save how to reach the frame: invitation code, QR photo or both',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    multipart: true,
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: [
      'not-found',
      'frame-refunded',
      'frame-erased',
      'connection-empty',
      'connection-too-long',
      'qr-type',
      'photos-too-slow',
      'qr-too-large',
    ],
    rate: 'upload',
  },
  'PUT /api/devices/:id/photo-order': {
    summary: 'Put the photos of an open frame in order, after the locked ones; those not named come last',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    body: z.object({ ids: z.array(z.string().max(64)).max(limits.mostPhotosOfFrame) }),
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'frame-finalized', 'frame-refunded'],
  },
  'POST /api/devices/:id/move-package': {
    summary: 'Move an extra package that is still empty to another open frame of the same order',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    body: z.object({ toDeviceId: z.string('Please choose a frame.').min(1, 'Please choose a frame.').max(64) }),
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'no-unused-package', 'frame-finalized', 'frame-refunded'],
  },
} satisfies Operations;
