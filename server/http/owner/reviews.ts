import type { AdminReview } from '#contract/owner/reviews.ts';
import {
  answerReview,
  approveReview,
  hideReview,
  listReviews,
  type ReviewWithVideo,
} from '#shop/reviews/reviews-list.ts';
import { getAuditAuthor } from '../common/by.ts';
import { filmUrlsOf } from '../reviews.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerReviewRoutes({ app, shop }: HttpScope): void {
  mountOperation(app, 'GET /api/admin/lists/reviews', async ({ query }) => {
    const page = await listReviews(shop.db, query);
    return { ...page, rows: page.rows.map(toAdminReview) };
  });
  mountOperation(app, 'POST /api/admin/reviews/:id/approve', ({ params, body, request }) =>
    awaitAndView(approveReview(shop, params.id, body.version, getAuditAuthor(request))),
  );
  mountOperation(app, 'POST /api/admin/reviews/:id/hide', ({ params, body, request }) =>
    awaitAndView(hideReview(shop, params.id, body.reason, getAuditAuthor(request))),
  );
  mountOperation(app, 'PUT /api/admin/reviews/:id/answer', ({ params, body, request }) =>
    awaitAndView(answerReview(shop, params.id, body.answer, getAuditAuthor(request))),
  );

  /** Returns the review after a decision. Clears cached pages, so that they show the decision at once. */
  async function awaitAndView(deciding: Promise<ReviewWithVideo>): Promise<AdminReview> {
    const view = toAdminReview(await deciding);
    shop.contentNews.changed();
    shop.live.publish('reviews');
    return view;
  }
}

const toAdminReview = ({ review, film }: ReviewWithVideo): AdminReview => {
  const { writtenAt, decidedAt, ...fields } = review;
  return {
    ...fields,
    writtenAt: writtenAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    film: film ? filmUrlsOf(review) : null,
  };
};
