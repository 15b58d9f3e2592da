import * as z from 'zod/mini';
import { trimmed } from './fields.ts';
import { limits } from './limits.ts';

const starWords = 'Please choose from one star to five';
/** What a review always says. */
const said = {
  stars: z.int(starWords).check(z.gte(1, starWords), z.lte(limits.mostStars, starWords)),
  words: trimmed('Please tell us a little in your own words', limits.reviewCharacters),
  /** As it stands below the words. */
  name: trimmed('Please tell us which name to show', limits.reviewNameCharacters),
};

export const ReviewBody = z.object({
  ...said,
  /** The video that everyone may watch beside it, as its customer has seen it; null: none. */
  film: z.nullable(z.object({ id: z.string().check(z.maxLength(64)), take: z.int().check(z.gte(1)) })),
});

/** The page’s form: a video is shown by consent alone. */
export const ReviewForm = z
  .object({
    ...said,
    stars: z.pipe(z.enum(['1', '2', '3', '4', '5'], starWords), z.transform(Number)),
    showFilm: z.boolean(),
    film: z.nullish(z.string()),
  })
  .check(z.refine(({ showFilm, film }) => !showFilm || film, { path: ['film'], error: 'Please choose the video' }));

/** The owner’s answer, for everyone to read; an empty one takes it away. */
export const ReviewAnswer = z.object({
  answer: z
    .string()
    .check(z.trim(), z.maxLength(limits.reviewCharacters, `Please use at most ${limits.reviewCharacters} characters`)),
});

/** Why a review is not shown: for the owner, never for its writer. */
export const HideForm = z.object({
  reason: trimmed('Please note why it is not shown', limits.reviewReasonCharacters),
});
