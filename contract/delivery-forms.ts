import * as z from 'zod/mini';
import { trimmed } from './fields.ts';
import { limits } from './limits.ts';
import { motionStyles } from './motion.ts';

/** What people write about a video; nothing takes it away. */
export const CaptionForm = z.object({
  caption: z
    .string()
    .check(
      z.trim(),
      z.maxLength(limits.captionCharacters, `Please use at most ${limits.captionCharacters} characters`),
    ),
});

/** Another motion for a video. */
export const WishForm = z.object({
  /** any: the shop chooses. */
  style: z._default(z.enum(['any', ...motionStyles]), 'any'),
  why: trimmed('Please tell us in a word what we should change', limits.wishCharacters),
});
export type WishForm = z.output<typeof WishForm>;

/** Which take of a video somebody has looked at; 1 is the first. */
export const SeenTake = z.int().check(z.gte(1), z.lte(10_000));
/** With the take it is about; without one it is about the present take. */
export const WishBody = z.extend(WishForm, { take: z.optional(SeenTake) });

/** A link for others. */
export const ShareForm = z.object({ lastDay: z.iso.date('Please choose a day') });
