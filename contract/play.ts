import * as z from 'zod';
import type { Operations } from './operation.ts';

/** The videos that a player shows, in order. */
export const Playlist = z.object({
  frameName: z.string(),
  /** The giver's name as signed on the card. Null if the frame is not a gift. */
  giftFrom: z.string().nullable(),
  videos: z.array(
    z.object({
      id: z.string(),
      /** The customer's caption, shown for a moment. */
      caption: z.string().nullable(),
      videoUrl: z.string(),
      sizeBytes: z.int(),
    }),
  ),
});

export const play = {
  'GET /api/play/:token': {
    summary: 'Read the videos of a player link; the player repeats this call',
    who: 'anyone',
    params: z.object({ token: z.string().max(200) }),
    response: Playlist,
    refusals: ['delivery-link-invalid', 'delivery-withdrawn'],
    rate: 'delivery',
  },
} satisfies Operations;
