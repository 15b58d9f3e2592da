import * as z from 'zod';
import { DeliveredVideo } from './delivery.ts';
import { TakeNumber, RedoRequestBody } from './delivery-forms.ts';
import type { Operations } from './operation.ts';

/** A frame's videos before delivery, for the customer to keep or to have made again. */
export const Proof = z.object({
  firstName: z.string(),
  frameName: z.string(),
  /** The deadline. Null while a video is being made again, and after the proof is over. */
  endsAt: z.iso.datetime().nullable(),
  /** The proof is over and the videos are delivered. */
  isOver: z.boolean(),
  redosLeft: z.int(),
  videos: z.array(
    z.object({
      id: z.string(),
      /** The title that the customer wrote. Null if they wrote none. */
      caption: z.string().nullable(),
      take: z.int(),
      isKept: z.boolean(),
      /** The video to review. Null while it is being made. */
      shown: DeliveredVideo.nullable(),
    }),
  ),
});
export type Proof = z.infer<typeof Proof>;

const token = z.string().max(200);
const id = z.string().max(64);
const rate = 'delivery';

export const proof = {
  'GET /api/proof/:token': {
    summary: 'Read the videos of a proof link',
    who: 'anyone',
    params: z.object({ token }),
    response: Proof,
    refusals: ['proof-link-invalid'],
    rate: 'token-validation',
  },
  'POST /api/devices/:id/proof-link': {
    summary: 'Create a proof link for a frame of the customer',
    who: 'customer',
    params: z.object({ id }),
    response: z.object({ path: z.string() }),
    refusals: ['not-found', 'proof-over'],
  },
  'POST /api/proof/:token/keep': {
    summary: 'Accept videos in the takes that the customer saw; accepting the last one may deliver the frame',
    who: 'anyone',
    params: z.object({ token }),
    body: z.object({
      videos: z
        .array(z.object({ id, take: TakeNumber }))
        .min(1)
        .max(1000),
    }),
    response: Proof,
    refusals: ['proof-link-invalid', 'proof-over', 'not-found', 'video-not-ready'],
    rate,
  },
  'POST /api/proof/:token/videos/:id/again': {
    summary: 'Request another motion for a video, with the reason',
    who: 'anyone',
    params: z.object({ token, id }),
    body: RedoRequestBody,
    response: Proof,
    refusals: ['proof-link-invalid', 'proof-over', 'not-found', 'no-redos-left', 'video-not-ready'],
    rate,
  },
} satisfies Operations;
