import * as z from 'zod';
import { CaptionForm, ShareForm, RedoRequestBody } from './delivery-forms.ts';
import { motionStyles } from './motion.ts';
import type { Operations } from './operation.ts';

/** The part of a video's provenance (contract/motion.ts) that everyone who watches the video may see. */
const ProvenanceView = z
  .object({
    by: z.enum(['local', 'hosted', 'hand']),
    model: z.string().optional(),
    style: z.enum(motionStyles),
    filledBackground: z.enum(['painted', 'blended']).optional(),
    isRestored: z.boolean().optional(),
    isTitled: z.boolean().optional(),
    secondStyle: z.enum(motionStyles).optional(),
  })
  .meta({ id: 'Provenance' });
export type ProvenanceView = z.infer<typeof ProvenanceView>;

export const DeliveredVideo = z
  .object({
    id: z.string(),
    /** The title that the customer wrote. Null if they wrote none. */
    caption: z.string().nullable(),
    take: z.int(),
    videoUrl: z.string(),
    posterUrl: z.string(),
    /** The photo that the video was made from. */
    photoUrl: z.string(),
    photoWidth: z.int(),
    photoHeight: z.int(),
    downloadUrl: z.string(),
    /** A still picture of the video in the size of the frame's panel, for download. */
    stillUrl: z.string(),
    sizeBytes: z.int(),
    seconds: z.number(),
    provenance: ProvenanceView.nullable(),
    /** The photo's file contains a film or an animation. */
    hasOwnMotion: z.boolean(),
    /**
     * The motion that the customer asked for, if the photo did not allow it. Null if the video has the requested
     * motion.
     */
    requestedMotionNotMade: z.enum(motionStyles).nullable(),
  })
  .meta({ id: 'DeliveredVideo' });
export type DeliveredVideo = z.infer<typeof DeliveredVideo>;

const LinkPeriod = z.object({ id: z.string(), createdAt: z.iso.datetime(), expiresAt: z.iso.datetime() });
export type LinkValidity = z.infer<typeof LinkPeriod>;

/** A frame's finished videos, behind the link in the customer's mail or a share link. */
export const Delivery = z.object({
  /** `keep`: the customer's own link. `watch`: a share link, which does not allow changes. */
  may: z.enum(['keep', 'watch']),
  firstName: z.string(),
  frameName: z.string(),
  /** The giver's name as signed on the card. Null if the frame is not a gift. */
  giftFrom: z.string().nullable(),
  /** Null for a share link. */
  orderNumber: z.string().nullable(),
  expiresAt: z.iso.datetime(),
  downloadAllUrl: z.string(),
  /** The exact size of the archive in bytes, so that the progress bar is accurate. */
  downloadAllBytes: z.int(),
  videos: z.array(DeliveredVideo),
  /** Videos that are being made again, with the customer's captions. */
  underWay: z.array(z.object({ id: z.string(), caption: z.string().nullable() })),
  /** How many more videos of this frame the customer may ask to have remade. */
  redosLeft: z.int(),
  /** Share links that have not expired or been ended. */
  shares: z.array(LinkPeriod),
  player: LinkPeriod.nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

/** A new link. The address is returned only once, because only its hash is stored. */
const NewLink = z.object({ url: z.string(), expiresAt: z.iso.datetime() });

const token = z.string().max(200);
const id = z.string().max(64);
const videoParams = z.object({ token, id });
const refusals = ['delivery-link-invalid', 'delivery-withdrawn'] as const;
const successResponse = z.object({ success: z.boolean(), message: z.string() });

export const delivery = {
  'GET /api/delivery/:token': {
    summary: 'Read the videos of a delivery link or a share link',
    who: 'anyone',
    params: z.object({ token }),
    response: Delivery,
    refusals,
    rate: 'token-validation',
  },
  'POST /api/devices/:id/delivery-link': {
    summary: 'Create a delivery link for a frame of the customer',
    who: 'customer',
    params: z.object({ id }),
    response: z.object({ path: z.string() }),
    refusals: ['not-found', 'videos-not-ready', ...refusals],
  },
  'PUT /api/delivery/:token/videos/:id': {
    summary: 'Change the caption of a video; an empty caption removes it',
    who: 'anyone',
    params: videoParams,
    body: CaptionForm,
    response: DeliveredVideo,
    refusals: [...refusals, 'not-found'],
    rate: 'delivery',
  },
  'POST /api/delivery/:token/videos/:id/again': {
    summary: 'Request another motion for a video, with the reason',
    who: 'anyone',
    params: videoParams,
    body: RedoRequestBody,
    response: z.object({ redosLeft: z.int() }),
    refusals: [...refusals, 'not-found', 'no-redos-left', 'video-not-ready'],
    rate: 'delivery',
  },
  'POST /api/delivery/:token/shares': {
    summary: 'Create a share link that works until the end of a chosen day',
    who: 'anyone',
    params: z.object({ token }),
    body: ShareForm,
    response: NewLink,
    refusals: [...refusals, 'share-day-outside', 'too-many-shares'],
    rate: 'delivery',
  },
  'DELETE /api/delivery/:token/shares/:id': {
    summary: 'End a share link',
    who: 'anyone',
    params: z.object({ token, id }),
    response: successResponse,
    refusals: [...refusals, 'not-found'],
    rate: 'delivery',
  },
  'POST /api/delivery/:token/player': {
    summary: 'Create the link that plays this frame’s videos on any screen, and end the earlier one',
    who: 'anyone',
    params: z.object({ token }),
    response: NewLink,
    refusals,
    rate: 'delivery',
  },
  'DELETE /api/delivery/:token/player': {
    summary: 'End the player link',
    who: 'anyone',
    params: z.object({ token }),
    response: successResponse,
    refusals,
    rate: 'delivery',
  },
} satisfies Operations;
