import * as z from 'zod';
import { productIds } from '#contract/catalog.ts';
import { listResponseSchema, listQuerySchema, listRefusals } from '#contract/lists.ts';
import type { Operations } from '#contract/operation.ts';
import { HideForm, ReviewAnswer } from '#contract/review-forms.ts';
import { reviewStates } from '#contract/reviews.ts';

const id = z.object({ id: z.string().max(64) });

export const AdminReview = z
  .object({
    id: z.string(),
    /** The version that the owner reads. The owner approves only this version. */
    version: z.int(),
    orderId: z.string(),
    orderNumber: z.string(),
    productId: z.enum(productIds),
    state: z.enum(reviewStates),
    stars: z.int(),
    words: z.string(),
    name: z.string(),
    writtenAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
    /** Why the review is hidden. */
    reason: z.string().nullable(),
    answer: z.string().nullable(),
    /** The video that the customer allows everyone to watch. */
    film: z.object({ videoUrl: z.string(), posterUrl: z.string() }).nullable(),
  })
  .meta({ id: 'AdminReview' });
export type AdminReview = z.infer<typeof AdminReview>;

/** Waiting reviews first, the oldest of them first. Then all other reviews, newest first. */
export const reviewSorts = ['turn'] as const;
export const reviewsQuery = listQuerySchema({ sorts: reviewSorts, filters: reviewStates });

export const ownerReviews = {
  'GET /api/admin/lists/reviews': {
    summary: 'Read a page of reviews, waiting ones first: searched by order number, name and text, filtered by state',
    who: 'admin',
    area: 'content',
    query: reviewsQuery,
    response: listResponseSchema(AdminReview),
    refusals: listRefusals,
  },
  'POST /api/admin/reviews/:id/approve': {
    summary: 'Show a review on its product’s page, in the version that the owner read',
    who: 'admin',
    area: 'content',
    params: id,
    body: z.object({ version: z.int().min(1) }),
    response: AdminReview,
    refusals: ['not-found', 'review-changed'],
  },
  'POST /api/admin/reviews/:id/hide': {
    summary: 'Hide a review and record the reason',
    who: 'admin',
    area: 'content',
    params: id,
    body: HideForm,
    response: AdminReview,
    refusals: ['not-found'],
  },
  'PUT /api/admin/reviews/:id/answer': {
    summary: 'Answer a review in public; an empty answer removes the answer',
    who: 'admin',
    area: 'content',
    params: id,
    body: ReviewAnswer,
    response: AdminReview,
    refusals: ['not-found'],
  },
} satisfies Operations;
