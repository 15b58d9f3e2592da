import * as z from 'zod';
import { CaptionForm, ShareForm, WishBody } from './delivery-forms.ts';
import { motionStyles } from './motion.ts';
import type { Operations } from './operation.ts';

/** As contract/motion.ts has it, for whoever watches. */
const ProvenanceView = z
  .object({
    by: z.enum(['local', 'hosted', 'hand']),
    model: z.string().optional(),
    style: z.enum(motionStyles),
    filledBackground: z.enum(['painted', 'blended']).optional(),
    isRestored: z.boolean().optional(),
    isTitled: z.boolean().optional(),
  })
  .meta({ id: 'Provenance' });
export type ProvenanceView = z.infer<typeof ProvenanceView>;

export const DeliveredVideo = z
  .object({
    id: z.string(),
    /** What people wrote about it, else its number. Never a file's name. */
    title: z.string(),
    caption: z.string().nullable(),
    take: z.int(),
    videoUrl: z.string(),
    posterUrl: z.string(),
    /** The photo it was made from. */
    photoUrl: z.string(),
    photoWidth: z.int(),
    photoHeight: z.int(),
    downloadUrl: z.string(),
    /** A picture of it at the size of the frame's panel, to keep. */
    stillUrl: z.string(),
    sizeBytes: z.int(),
    seconds: z.number(),
    provenance: ProvenanceView.nullable(),
  })
  .meta({ id: 'DeliveredVideo' });
export type DeliveredVideo = z.infer<typeof DeliveredVideo>;

const LinkEnds = z.object({ id: z.string(), createdAt: z.iso.datetime(), expiresAt: z.iso.datetime() });
export type LinkEnds = z.infer<typeof LinkEnds>;

/** A frame's finished videos, behind the link in the customer's mail or one that was shared. */
export const Delivery = z.object({
  /** `keep`: the customer's own link; `watch`: one they shared, which changes nothing. */
  may: z.enum(['keep', 'watch']),
  firstName: z.string(),
  frameName: z.string(),
  /** Who gives it, as the card is signed; null where it is no present. */
  giftFrom: z.string().nullable(),
  /** Null on a shared link. */
  orderNumber: z.string().nullable(),
  expiresAt: z.iso.datetime(),
  downloadAllUrl: z.string(),
  /** Exact size of the archive, in bytes, for a true progress bar. */
  downloadAllBytes: z.int(),
  videos: z.array(DeliveredVideo),
  /** Videos that are being made again, by what people wrote about them. */
  underWay: z.array(z.object({ id: z.string(), title: z.string() })),
  /** How many of this frame's videos the customer may still have made again. */
  redosLeft: z.int(),
  /** Links that were shared and still open. */
  shares: z.array(LinkEnds),
  player: LinkEnds.nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

/** A link as it is told, once: only its hash is kept. */
const NewLink = z.object({ url: z.string(), expiresAt: z.iso.datetime() });

const token = z.string().max(200);
const id = z.string().max(64);
const video = z.object({ token, id });
const refusals = ['delivery-link-invalid'] as const;
const done = z.object({ success: z.boolean(), message: z.string() });

export const delivery = {
  'GET /api/delivery/:token': {
    summary: 'What a delivery link, or one that was shared, shows',
    who: 'anyone',
    params: z.object({ token }),
    response: Delivery,
    refusals,
    rate: 'token-validation',
  },
  'POST /api/devices/:id/delivery-link': {
    summary: 'Open the delivery page of one’s own frame without the mail',
    who: 'customer',
    params: z.object({ id }),
    response: z.object({ path: z.string() }),
    refusals: ['not-found', 'videos-not-ready', 'delivery-link-invalid'],
  },
  'PUT /api/delivery/:token/videos/:id': {
    summary: 'Write a title for a video; an empty one takes it away',
    who: 'anyone',
    params: video,
    body: CaptionForm,
    response: DeliveredVideo,
    refusals: [...refusals, 'not-found'],
    rate: 'delivery',
  },
  'POST /api/delivery/:token/videos/:id/again': {
    summary: 'Ask for another motion, with a word why',
    who: 'anyone',
    params: video,
    body: WishBody,
    response: z.object({ redosLeft: z.int() }),
    refusals: [...refusals, 'not-found', 'no-redos-left', 'video-not-ready'],
    rate: 'delivery',
  },
  'POST /api/delivery/:token/shares': {
    summary: 'Make a link for others, which ends with a day the customer chooses',
    who: 'anyone',
    params: z.object({ token }),
    body: ShareForm,
    response: NewLink,
    refusals: [...refusals, 'share-day-outside', 'too-many-shares'],
    rate: 'delivery',
  },
  'DELETE /api/delivery/:token/shares/:id': {
    summary: 'End a shared link',
    who: 'anyone',
    params: z.object({ token, id }),
    response: done,
    refusals: [...refusals, 'not-found'],
    rate: 'delivery',
  },
  'POST /api/delivery/:token/player': {
    summary: 'Make the link that plays this frame’s videos on any screen; an earlier one ends',
    who: 'anyone',
    params: z.object({ token }),
    response: NewLink,
    refusals,
    rate: 'delivery',
  },
  'DELETE /api/delivery/:token/player': {
    summary: 'End the player’s link',
    who: 'anyone',
    params: z.object({ token }),
    response: done,
    refusals,
    rate: 'delivery',
  },
} satisfies Operations;
