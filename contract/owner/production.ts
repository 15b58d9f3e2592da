import * as z from 'zod';
import { TakeNumber } from '#contract/delivery-forms.ts';
import { listResponseSchema, listQuerySchema, listRefusals } from '#contract/lists.ts';
import { motionStyles } from '#contract/motion.ts';
import { AdminOrder } from './orders.ts';
import type { Operations } from '#contract/operation.ts';

const id = z.object({ id: z.string().max(64) });

export const videoStates = ['queued', 'rendering', 'rendered', 'approved', 'failed'] as const;
export const AdminVideo = z
  .object({
    id: z.string(),
    uploadId: z.string(),
    title: z.string(),
    photoUrl: z.string(),
    thumbnailUrl: z.string(),
    state: z.enum(videoStates),
    style: z.enum(motionStyles),
    /** The photo's file contains a film or an animation. */
    hasOwnMotion: z.boolean(),
    /** Whether the photo's caption is written on the video. Null if there is no caption that can be written. */
    isTitled: z.boolean().nullable(),
    /** 0 to 1. */
    progress: z.number(),
    take: z.int(),
    /**
     * The approved take that the customer watches until another take is approved. Null if this take is the approved
     * one, or if no take is approved.
     */
    live: z.object({ take: z.int(), videoUrl: z.string(), posterUrl: z.string() }).nullable(),
    madeBy: z.string().nullable(),
    /** Why this computer renders the video instead of the configured hosted animator. */
    standIn: z.string().nullable(),
    /** True if a hosted animator can make the video, unless the owner chooses otherwise. */
    mayBeHosted: z.boolean(),
    /** Why the customer asked for another motion, for this take or an earlier one. */
    wish: z.object({ why: z.string(), take: z.int(), askedAt: z.iso.datetime() }).nullable(),
    /** The customer has reviewed this take and keeps it. */
    isKept: z.boolean(),
    /** The owner uploaded this video in place of a rendered one. */
    isOwnFilm: z.boolean(),
    /** What the hosted animator charged for the video. */
    costCents: z.int(),
    /** When the video reached each state. */
    times: z.object({
      queued: z.iso.datetime(),
      started: z.iso.datetime().nullable(),
      rendered: z.iso.datetime().nullable(),
      approved: z.iso.datetime().nullable(),
      failed: z.iso.datetime().nullable(),
    }),
    videoUrl: z.string().nullable(),
    /** A small version of the video's first seconds. */
    clipUrl: z.string().nullable(),
    posterUrl: z.string().nullable(),
    failure: z.string().nullable(),
  })
  .meta({ id: 'AdminVideo' });
export type AdminVideo = z.infer<typeof AdminVideo>;

export const ProductionOrder = z
  .object({
    id: z.string(),
    orderNumber: z.string(),
    customerName: z.string(),
    customerEmail: z.string(),
    /** When a frame of this order was last finalized. */
    finalizedAt: z.iso.datetime(),
    photoCount: z.int(),
    deviceCount: z.int(),
    totalAmount: z.int(),
    productId: z.string(),
    quantity: z.int(),
    /** True if the payment is disputed. The owner should check the dispute before working on the order. */
    isDisputed: z.boolean(),
    shippingAddress: AdminOrder.shape.shippingAddress,
    gift: AdminOrder.shape.gift,
    isShipped: z.boolean(),
    frames: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        finalizedAt: z.iso.datetime().nullable(),
        videosReadyAt: z.iso.datetime().nullable(),
        /**
         * Set while the customer reviews the frame's videos. `endsAt` is the deadline, or null while a video is being
         * made again.
         */
        proof: z.object({ round: z.int(), endsAt: z.iso.datetime().nullable() }).nullable(),
        videos: z.array(AdminVideo),
      }),
    ),
  })
  .meta({ id: 'ProductionOrder' });
export type ProductionOrder = z.infer<typeof ProductionOrder>;

export const productionSorts = ['due'] as const;
/**
 * `open` are orders with videos that are not delivered, and `delivered` are all other orders. The filters between them
 * are for the state of videos.
 */
export const productionFilters = ['open', 'review', 'under-way', 'failed', 'delivered'] as const;
const query = listQuerySchema({ sorts: productionSorts, filters: productionFilters });

export const ownerProduction = {
  'GET /api/admin/production-orders': {
    summary:
      'List orders with finalized frames and the state of each video: earliest promise first, delivered orders last',
    who: 'admin',
    area: 'fulfillment',
    query,
    response: z.array(ProductionOrder),
    refusals: listRefusals,
  },
  'GET /api/admin/lists/production-orders': {
    summary: 'Read a page of orders with finalized frames and the state of each video',
    who: 'admin',
    area: 'fulfillment',
    query,
    response: listResponseSchema(ProductionOrder),
    refusals: listRefusals,
  },
  'POST /api/admin/videos/:id/approve': {
    summary: 'Approve a finished video; approving the last one of a frame emails the customer',
    who: 'admin',
    area: 'fulfillment',
    params: id,
    /** The take that the owner looked at. Without one it is the current take. */
    body: z.object({ take: z.optional(TakeNumber) }).nullish(),
    response: AdminVideo,
    refusals: ['not-found', 'video-not-ready'],
  },
  'POST /api/admin/videos/:id/redo': {
    summary: 'Render a video again, with another motion; an approved video stays live until the next is approved',
    who: 'admin',
    area: 'fulfillment',
    params: id,
    body: z.object({
      style: z.enum(motionStyles).optional(),
      /** Render the video on this computer, regardless of the configured animator. */
      isLocal: z.boolean().optional(),
      /** Whether the caption is written on the video. */
      isTitled: z.boolean().optional(),
      /** The take that the owner looked at. Without one it is the current take. */
      take: z.optional(TakeNumber),
    }),
    response: AdminVideo,
    refusals: ['not-found', 'video-not-ready', 'nothing-to-write'],
  },
  'POST /api/admin/videos/:id/keep-live': {
    summary: 'Discard the take that is being made or reviewed, and keep the live take; sends no email',
    who: 'admin',
    area: 'fulfillment',
    params: id,
    response: AdminVideo,
    refusals: ['not-found', 'no-earlier-video'],
  },
  'PUT /api/admin/videos/:id/film': {
    summary: 'Replace a video with an uploaded one (part: film, an MP4), which is converted to fit the frame',
    who: 'admin',
    area: 'fulfillment',
    params: id,
    multipart: true,
    response: AdminVideo,
    refusals: ['not-found', 'no-film', 'film-too-large'],
  },
} satisfies Operations;
