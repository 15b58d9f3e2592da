import * as z from 'zod';
import type { Operations } from './operation.ts';

/** What a screen that has become a frame plays, in turn. */
export const Playlist = z.object({
  frameName: z.string(),
  /** Who gives it, as the card is signed; null where it is no present. */
  giftFrom: z.string().nullable(),
  videos: z.array(
    z.object({
      id: z.string(),
      /** What people wrote about it, shown for a moment. */
      caption: z.string().nullable(),
      videoUrl: z.string(),
      sizeBytes: z.int(),
    }),
  ),
});

export const play = {
  'GET /api/play/:token': {
    summary: 'The videos that a player’s link plays; asked again and again by the player',
    who: 'anyone',
    params: z.object({ token: z.string().max(200) }),
    response: Playlist,
    refusals: ['delivery-link-invalid'],
    rate: 'delivery',
  },
} satisfies Operations;
