import * as z from 'zod/mini';
import { optionalTextField, requiredTextField } from './fields.ts';
import { limits } from './limits.ts';
import { motionStyles } from './motion.ts';

/** A customer's caption for a video. Empty text removes the caption. */
export const CaptionForm = z.object({
  caption: optionalTextField(limits.captionCharacters),
});

/** A request for another motion for a video. */
export const RedoRequestForm = z.object({
  /** With `any`, the shop chooses the motion. */
  style: z._default(z.enum(['any', ...motionStyles]), 'any'),
  why: requiredTextField('Please tell us what we should change', limits.wishCharacters),
});
export type RedoRequestForm = z.output<typeof RedoRequestForm>;

/** The take that the user has looked at. The first take is 1. */
export const TakeNumber = z.int().check(z.gte(1), z.lte(10_000));
/** The take that the wish is about. If absent, the wish is about the current take. */
export const RedoRequestBody = z.extend(RedoRequestForm, { take: z.optional(TakeNumber) });

/** A share link for other people. */
export const ShareForm = z.object({ lastDay: z.iso.date('Please choose a day') });
