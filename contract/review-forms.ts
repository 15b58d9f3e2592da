import * as z from 'zod/mini';
import { optionalTextField, requiredTextField } from './fields.ts';
import { limits } from './limits.ts';

const starsMessage = 'Please choose one to five stars';
/** The required fields of a review. */
const reviewFields = {
  stars: z.int(starsMessage).check(z.gte(1, starsMessage), z.lte(limits.mostStars, starsMessage)),
  words: requiredTextField('Please write a few words of your own', limits.reviewCharacters),
  /** The name shown below the review. */
  name: requiredTextField('Please enter the name to show', limits.reviewNameCharacters),
};

export const ReviewBody = z.object({
  ...reviewFields,
  /** The video that the customer lets everyone watch with the review, in the take that they saw. Null means none. */
  film: z.nullable(z.object({ id: z.string().check(z.maxLength(64)), take: z.int().check(z.gte(1)) })),
});

/** The page’s form. A video is shown only with consent. */
export const ReviewForm = z
  .object({
    ...reviewFields,
    stars: z.pipe(z.enum(['1', '2', '3', '4', '5'], starsMessage), z.transform(Number)),
    showFilm: z.boolean(),
    film: z.nullish(z.string()),
  })
  .check(z.refine(({ showFilm, film }) => !showFilm || film, { path: ['film'], error: 'Please choose the video' }));

/** The owner’s public answer. Empty text removes it. */
export const ReviewAnswer = z.object({
  answer: optionalTextField(limits.reviewCharacters),
});

/** Why a review is hidden. Only the owner sees this, never the author. */
export const HideForm = z.object({
  reason: requiredTextField('Please add a note on why it is not shown', limits.reviewReasonCharacters),
});
