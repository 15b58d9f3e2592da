import * as z from 'zod';
import { orderStatuses } from './orders.ts';
import { limits } from './limits.ts';
import type { Operations } from './operation.ts';
import { motionStyles } from './motion.ts';
import { AreaForm, AllowedMotionsForm, PhotoPairForm, PhotoPositionForm } from './photo-forms.ts';

export const deviceTypes = ['kinframe', 'byof'] as const;
/** none: nothing is saved yet; pending: details are saved, and staff will connect the frame within 24 hours. */
export const connectionStatuses = ['none', 'pending', 'connected'] as const;

export const UploadView = z
  .object({
    id: z.string(),
    url: z.string(),
    thumbnailUrl: z.string(),
    fileName: z.string(),
    originalFileName: z.string(),
    mimeType: z.string(),
    /** In bytes. */
    fileSize: z.int(),
    /** The size of the photo after its turn and crop, in pixels of the original. */
    width: z.int(),
    height: z.int(),
    crop: z.object({ quarterTurns: z.int(), area: z.nullable(AreaForm) }),
    /** The photo without its turn and crop. */
    whole: z.object({ url: z.string(), width: z.int(), height: z.int() }),
    /**
     * The photo shows a print with a paper border: the picture inside the border, in the turned photo. Null if there is
     * no border or if the customer has already decided about it.
     */
    printArea: z.nullable(AreaForm),
    uploadedAt: z.iso.datetime(),
    /** The hash of the bytes as sent. It detects a second upload of the same photo. */
    sha256: z.string(),
    caption: z.string().nullable(),
    /** Whether the caption is written on the video. */
    isTitled: z.boolean(),
    /** Whether scratches, dust and faded colors are repaired in the video. */
    isRepaired: z.boolean(),
    /** Where the customer wants viewers to look. */
    focus: z.nullable(PhotoPositionForm),
    moves: z.nullable(AllowedMotionsForm),
    /** Whether the photo shows faces. Null until it is analyzed. */
    showsFaces: z.boolean().nullable(),
    /** The photo probably shows water and no people, and the customer has not said yet whether the water may ripple. */
    mayShowWater: z.boolean(),
    /** The photo's file contains a film or an animation, which is the photo's own motion. */
    hasOwnMotion: z.boolean(),
    /** The motion that the customer chose. Null means that the shop chooses. */
    style: z.enum(motionStyles).nullable(),
    /**
     * The planned video, until the video is made: its motion and a short preview video. `url` is null if no preview can
     * be made. `preview` is null until the photo is analyzed.
     */
    preview: z.object({ style: z.enum(motionStyles), url: z.string().nullable() }).nullable(),
    /** The photo to the left of this one in the video that they share. Null if this photo has its own video. */
    shownWithId: z.string().nullable(),
    /** True once the photo was finalized. The photo stays locked even if its frame is opened for more photos. */
    isLocked: z.boolean(),
    /** True once the owner has approved the photo's video. */
    isProcessed: z.boolean(),
    /** Added by a contributor, and not yet accepted by the customer. */
    isWaiting: z.boolean(),
    /** The approved video, which only the customer and the owner can open. */
    video: z.object({ url: z.string(), posterUrl: z.string(), downloadUrl: z.string() }).nullable(),
  })
  .meta({ id: 'Upload' });
export type UploadView = z.infer<typeof UploadView>;

/** The progress of a photo, for the summary of an order. */
export const UploadProgress = UploadView.pick({
  id: true,
  uploadedAt: true,
  isLocked: true,
  isProcessed: true,
  isWaiting: true,
}).meta({ id: 'UploadProgress' });
export type UploadProgress = z.infer<typeof UploadProgress>;

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
    /** How many of the extra photos were bought later, with a separate order. */
    laterPhotos: z.int(),
    remainingPhotos: z.int(),
    uploadFinalized: z.boolean(),
    invitationCode: z.string().nullable(),
    qrPhotoPath: z.string().nullable(),
    connectionStatus: z.enum(connectionStatuses),
    /** When the connection status became pending or connected. */
    connectionSince: z.iso.datetime().nullable(),
    /** The customer is asked to review the videos before delivery. */
    isInProof: z.boolean(),
    /** When all videos of the frame were approved. */
    videosReadyAt: z.iso.datetime().nullable(),
    /** The photos and videos were deleted after delivery, and no more will be made. */
    isErased: z.boolean(),
    /** The order was canceled after videos were delivered. The customer keeps the videos, and can add nothing. */
    isCanceled: z.boolean(),
    /**
     * When the customer answered in which photos no one may move. Null if the customer was not asked or did not answer.
     */
    stillAnsweredAt: z.iso.datetime().nullable(),
    uploads: z.array(UploadView),
    /** Ids of photos that look alike, by group, unless the customer chose to keep them. */
    alike: z.array(z.array(z.string())),
    /** Two upright photos that the shop suggests to show side by side: the left one and the right one. */
    suggestedPair: z.tuple([z.string(), z.string()]).nullable(),
  })
  .meta({ id: 'FrameLimits' });
export type FrameLimits = z.infer<typeof FrameLimits>;

export const FramePhotoLimits = z.object({
  frames: z.array(FrameLimits),
  totalFrames: z.int(),
  globalUsedPhotos: z.int(),
  globalRemainingPhotos: z.int(),
  globalTotalLimit: z.int(),
  /** Whether photos get short previews of their videos before they are finalized. */
  hasPreviews: z.boolean(),
  /** How many photos with a disappointing video the customer may still replace. */
  reuploadCredits: z.int(),
});
export type FramePhotoLimits = z.infer<typeof FramePhotoLimits>;

export const frames = {
  'GET /api/customer/frames': {
    summary: 'Read the frames and orders of the customer, which decide the page after sign-in',
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
    summary: 'Read the used and remaining photo slots of every active frame, with its photos',
    who: 'customer',
    query: z.object({ refresh: z.string().max(40).optional() }),
    response: FramePhotoLimits,
  },
  'POST /api/uploads/finalize': {
    summary: 'Lock a frame’s photos and start production, or close its free photo slots if it has no new photo',
    who: 'customer',
    body: z.object({
      deviceId: z.string('Please choose a frame.').min(1).max(64),
      /** Places without a photo stay open, so that photos can be added later. */
      keepPlaces: z.boolean().default(false),
    }),
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'no-photos-yet', 'frame-finalized', 'frame-refunded', 'photos-waiting'],
  },
  'PUT /api/devices/:id/connection': {
    summary: 'Save the connection details of a frame: invitation code, QR photo or both',
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
    summary: 'Set the order of the photos of an open frame, after the locked ones; photos not listed come last',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    body: z.object({ ids: z.array(z.string().max(64)).max(limits.mostPhotosOfFrame) }),
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'frame-finalized', 'frame-refunded'],
  },
  'PUT /api/devices/:id/still-photos': {
    summary:
      'Choose the photos of an open frame in which people must not move, because someone has died; the list may be empty',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    body: z.object({ ids: z.array(z.string().max(64)).max(limits.mostPhotosOfFrame) }),
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'frame-finalized', 'frame-refunded'],
  },
  'PUT /api/devices/:id/kept-photos': {
    summary: 'Keep photos of an open frame that look alike; the customer is not asked about them again',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    body: z.object({ ids: z.array(z.string().max(64)).max(limits.mostPhotosOfFrame) }),
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'frame-finalized', 'frame-refunded'],
  },
  'PUT /api/devices/:id/photo-pair': {
    summary: 'Show two upright photos of an open frame side by side in one video, or each of them alone',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    body: PhotoPairForm,
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'not-a-pair', 'frame-finalized', 'frame-refunded'],
  },
  'POST /api/devices/:id/move-package': {
    summary: 'Move an extra package without photos to another open frame of the same order',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    body: z.object({ toDeviceId: z.string('Please choose a frame.').min(1, 'Please choose a frame.').max(64) }),
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found', 'no-unused-package', 'frame-finalized', 'frame-refunded'],
  },
} satisfies Operations;
