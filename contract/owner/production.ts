import * as z from 'zod';
import { SeenTake } from '#contract/delivery-forms.ts';
import { listAnswer, listQuery, listRefusals } from '#contract/lists.ts';
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
    /** Whether its photo's caption is to be written on it; null where there is none that can be. */
    isTitled: z.boolean().nullable(),
    /** 0 to 1. */
    progress: z.number(),
    take: z.int(),
    madeBy: z.string().nullable(),
    /** Why this machine makes it and not the hosted animator of the settings. */
    standIn: z.string().nullable(),
    /** A hosted animator could make it, if the owner does not wish otherwise. */
    mayBeHosted: z.boolean(),
    /** Why the customer asked for another motion, for this take or one before. */
    wish: z.object({ why: z.string(), take: z.int(), askedAt: z.iso.datetime() }).nullable(),
    /** The customer has looked at this take and keeps it. */
    isKept: z.boolean(),
    /** A film of the owner's takes its place. */
    isOwnFilm: z.boolean(),
    /** What was paid for it to a hosted animator. */
    costCents: z.int(),
    /** When it came to where it is. */
    times: z.object({
      queued: z.iso.datetime(),
      started: z.iso.datetime().nullable(),
      rendered: z.iso.datetime().nullable(),
      approved: z.iso.datetime().nullable(),
      failed: z.iso.datetime().nullable(),
    }),
    videoUrl: z.string().nullable(),
    /** The first seconds of it, small. */
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
    /** The latest finalize among its frames. */
    finalizedAt: z.iso.datetime(),
    photoCount: z.int(),
    deviceCount: z.int(),
    totalAmount: z.int(),
    productId: z.string(),
    quantity: z.int(),
    /** Its payment is contested at the bank: think before working on it. */
    isDisputed: z.boolean(),
    shippingAddress: AdminOrder.shape.shippingAddress,
    gift: AdminOrder.shape.gift,
    frames: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        finalizedAt: z.iso.datetime().nullable(),
        videosReadyAt: z.iso.datetime().nullable(),
        /** Its customer is looking at the videos; until when, unless something is being made again. */
        proof: z.object({ round: z.int(), endsAt: z.iso.datetime().nullable() }).nullable(),
        videos: z.array(AdminVideo),
      }),
    ),
  })
  .meta({ id: 'ProductionOrder' });
export type ProductionOrder = z.infer<typeof ProductionOrder>;

export const productionSorts = ['due'] as const;
/** `open` waits for videos; the next three are of videos; `delivered` is done. */
export const productionFilters = ['open', 'review', 'under-way', 'failed', 'delivered'] as const;
const query = listQuery({ sorts: productionSorts, filters: productionFilters });

export const ownerProduction = {
  'GET /api/admin/production-orders': {
    summary:
      'Orders with finalized frames, and how far each video is: what was promised soonest first, delivered ones last',
    who: 'admin',
    query,
    response: z.array(ProductionOrder),
    refusals: listRefusals,
  },
  'GET /api/admin/lists/production-orders': {
    summary: 'A page of the same',
    who: 'admin',
    query,
    response: listAnswer(ProductionOrder),
    refusals: listRefusals,
  },
  'POST /api/admin/videos/:id/approve': {
    summary: 'Accept a finished video; the last one of a frame mails the customer',
    who: 'admin',
    params: id,
    /** With the take that was looked at; without one it is the present take. */
    body: z.object({ take: z.optional(SeenTake) }).nullish(),
    response: AdminVideo,
    refusals: ['not-found', 'video-not-ready'],
  },
  'POST /api/admin/videos/:id/redo': {
    summary: 'Render a video again, with another motion',
    who: 'admin',
    params: id,
    body: z.object({
      style: z.enum(motionStyles).optional(),
      /** On this machine, whatever animator the settings name. */
      isLocal: z.boolean().optional(),
      /** Whether its caption is written on it. */
      isTitled: z.boolean().optional(),
      /** The take that was looked at; without one it is the present take. */
      take: z.optional(SeenTake),
    }),
    response: AdminVideo,
    refusals: ['not-found', 'video-not-ready', 'nothing-to-write'],
  },
  'PUT /api/admin/videos/:id/film': {
    summary: 'Put a film made by hand in the place of a video (part: film, an MP4); it is made to fit the frame',
    who: 'admin',
    params: id,
    multipart: true,
    response: AdminVideo,
    refusals: ['not-found', 'no-film', 'film-too-large'],
  },
} satisfies Operations;
