import * as z from 'zod';
import { productIds } from './catalog.ts';
import type { Operations } from './operation.ts';
import { ReviewBody } from './review-forms.ts';

export const reviewStates = ['waiting', 'approved', 'hidden'] as const;

/** A review as published. */
export const PublicReview = z.object({
  id: z.string(),
  stars: z.int(),
  words: z.string(),
  name: z.string(),
  writtenAt: z.iso.datetime(),
  /** The shop’s answer. */
  answer: z.string().nullable(),
  /** The video that the customer shows with the review. */
  film: z.object({ videoUrl: z.string(), posterUrl: z.string() }).nullable(),
});
export type PublicReview = z.infer<typeof PublicReview>;

/** The reviews of one product. `mean` is null if there are no reviews. */
export const ProductReviews = z
  .object({
    count: z.int(),
    /** Rounded to one decimal. */
    mean: z.number().nullable(),
    /** Newest first. */
    reviews: z.array(PublicReview),
    /** The cursor for `after`. Null at the end. */
    next: z.string().nullable(),
  })
  .meta({ id: 'ProductReviews' });
export type ProductReviews = z.infer<typeof ProductReviews>;

/** A finished video of the customer, which can be shown with a review. */
const OwnVideo = z.object({
  id: z.string(),
  take: z.int(),
  /** The caption, and the frame’s name if there are several frames. Empty if there is neither. */
  title: z.string(),
  videoUrl: z.string(),
  posterUrl: z.string(),
});

/** What the link of a review email opens: the bought products and their reviews. */
export const ReviewLinkView = z
  .object({
    firstName: z.string(),
    orderNumber: z.string(),
    suggestedName: z.string(),
    products: z.array(
      z.object({
        id: z.enum(productIds),
        review: z
          .object({
            state: z.enum(reviewStates),
            stars: z.int(),
            words: z.string(),
            name: z.string(),
            /** The chosen video. Null if none was chosen or it no longer exists. */
            filmId: z.string().nullable(),
            answer: z.string().nullable(),
          })
          .nullable(),
      }),
    ),
    films: z.array(OwnVideo),
  })
  .meta({ id: 'ReviewDesk' });
export type ReviewLinkView = z.infer<typeof ReviewLinkView>;

const token = z.string().max(200);
const product = z.enum(productIds, 'We do not sell that product.');
const rate = 'delivery';

export const reviews = {
  'GET /api/products/:product/reviews': {
    summary: 'List the reviews of a product, newest first, with its star rating',
    who: 'anyone',
    params: z.object({ product }),
    query: z.object({ after: z.string().max(2000).optional() }),
    response: ProductReviews,
    refusals: ['page-unknown'],
  },
  'POST /api/orders/:orderNumber/review-link': {
    summary: 'Create a review link for an order of the customer',
    who: 'customer',
    params: z.object({ orderNumber: z.string().max(40) }),
    response: z.object({ path: z.string() }),
    refusals: ['not-found', 'review-link-invalid'],
  },
  'GET /api/review/:token': {
    summary: 'Read the products, reviews and videos of a review link',
    who: 'anyone',
    params: z.object({ token }),
    response: ReviewLinkView,
    refusals: ['review-link-invalid'],
    rate: 'token-validation',
  },
  'PUT /api/review/:token/:product': {
    summary: 'Write a review, or change it while it waits for the owner’s decision',
    who: 'anyone',
    params: z.object({ token, product }),
    body: ReviewBody,
    response: ReviewLinkView,
    refusals: ['review-link-invalid', 'not-found', 'review-decided', 'review-film-gone'],
    rate,
  },
  'DELETE /api/review/:token/:product': {
    summary: 'Delete a review and the consent to show a video',
    who: 'anyone',
    params: z.object({ token, product }),
    response: ReviewLinkView,
    refusals: ['review-link-invalid'],
    rate,
  },
} satisfies Operations;
