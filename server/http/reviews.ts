import type { PublicReview, ReviewLinkView as DeskView } from '#contract/reviews.ts';
import { Refusal } from '#contract/refusals.ts';
import { readOrdersOf } from '#shop/orders/orders.ts';
import { computeSecondsUntil } from '#shop/ports/clock.ts';
import { posterUrl, videoUrl } from '#shop/production/delivery.ts';
import { findVideoOfReview, readRating, readVisibleReviews, type ReviewWithVideo } from '#shop/reviews/reviews-list.ts';
import {
  issueReviewToken,
  readReviewLinkContent,
  withdrawReview,
  writeReview,
  type ReviewLinkContent,
} from '#shop/reviews/reviews.ts';
import type { HttpScope } from './common/http-scope.ts';
import { sendStoredFile } from './common/send-file.ts';
import { mountOperation } from './common/serve.ts';

export function registerReviewRoutes({ app, shop, jar }: HttpScope): void {
  const { db, storage } = shop;

  mountOperation(app, 'GET /api/products/:product/reviews', async ({ params, query }) => {
    const [rating, { rows, next }] = await Promise.all([
      readRating(db, params.product),
      readVisibleReviews(db, params.product, query.after),
    ]);
    return { ...rating, reviews: rows.map(publicView), next };
  });

  mountOperation(app, 'POST /api/orders/:orderNumber/review-link', async ({ params, customer }) => {
    const order = (await readOrdersOf(db, customer.id)).find(
      (it) => it.orderNumber === params.orderNumber.toUpperCase(),
    );
    if (!order) throw new Refusal('not-found');
    return { path: `/review/${await issueReviewToken(shop, order)}` };
  });

  mountOperation(app, 'GET /api/review/:token', async ({ params, reply }) => {
    const reviewLink = await openReviewLink(params.token);
    // Set a cookie that gives access to the videos that the customer can choose for the review.
    jar.setFrameLink(
      reply,
      'review',
      reviewLink.order.id,
      params.token,
      computeSecondsUntil(shop.clock, reviewLink.expiresAt),
    );
    return reviewLinkView(reviewLink);
  });

  mountOperation(app, 'PUT /api/review/:token/:product', async ({ params, body }) => {
    await writeReview(shop, await openReviewLink(params.token), params.product, body);
    shop.live.publish('reviews');
    return reviewLinkView(await openReviewLink(params.token));
  });

  mountOperation(app, 'DELETE /api/review/:token/:product', async ({ params }) => {
    const { order } = await openReviewLink(params.token);
    await withdrawReview(db, order.id, params.product);
    shop.live.publish('reviews');
    shop.contentNews.changed();
    return reviewLinkView(await openReviewLink(params.token));
  });

  /**
   * The video that a customer shows with a review, and its poster. Anyone may see them while the review is shown. Before
   * and after that, the people who decide on reviews may.
   */
  app.get<{ Params: { fileName: string } }>(
    '/reviews/:fileName',
    { schema: { hide: true } },
    async (request, reply) => {
      const [, id = '', kind] = /^([\w-]{1,64})\.(mp4|jpg)$/.exec(request.params.fileName) ?? [];
      const foundReview = kind && (await findVideoOfReview(db, id));
      const key = foundReview && (kind === 'mp4' ? foundReview.film.videoKey : foundReview.film.posterKey);
      if (!key) throw new Refusal('not-found');
      if (foundReview.state !== 'approved' && !(await app.guards.isAdmin(request, reply, 'content')))
        throw new Refusal('not-found');
      return sendStoredFile(storage, request, reply, { key, contentType: kind === 'mp4' ? 'video/mp4' : 'image/jpeg' });
    },
  );

  async function openReviewLink(token: string): Promise<ReviewLinkContent> {
    const reviewLink = await readReviewLinkContent(db, token);
    if (!reviewLink) throw new Refusal('review-link-invalid');
    return reviewLink;
  }
}

const publicView = ({ review, film }: ReviewWithVideo): PublicReview => {
  const { id, stars, words, name, writtenAt, answer } = review;
  return { id, stars, words, name, writtenAt: writtenAt.toISOString(), answer, film: film ? filmUrlsOf(review) : null };
};

/** The addresses of the video that a review shows, and of its poster. */
export const filmUrlsOf = ({ id, videoTake }: ReviewWithVideo['review']): { videoUrl: string; posterUrl: string } => ({
  videoUrl: `/reviews/${id}.mp4?take=${videoTake}`,
  posterUrl: `/reviews/${id}.jpg?take=${videoTake}`,
});

function reviewLinkView({ order, products, reviews, films }: ReviewLinkContent): DeskView {
  const frameIds = new Set(films.map(({ frame }) => frame.id));
  return {
    firstName: order.firstName,
    orderNumber: order.orderNumber,
    suggestedName: [order.firstName, order.lastName.replace(/^(.).*/su, '$1.')].filter(Boolean).join(' '),
    products: products.map((id) => {
      const review = reviews.find((it) => it.productId === id);
      if (!review) return { id, review: null };
      const { state, stars, words, name, videoId, videoTake, answer } = review;
      const reviewedVideo = films.find(({ film: { video } }) => video.id === videoId && video.take === videoTake);
      return { id, review: { state, stars, words, name, filmId: reviewedVideo?.film.video.id ?? null, answer } };
    }),
    films: films.map(({ frame, film: { video, photo } }) => ({
      id: video.id,
      take: video.take,
      title: [frameIds.size > 1 && frame.name, photo.caption].filter(Boolean).join(': '),
      videoUrl: videoUrl(video),
      posterUrl: posterUrl(video),
    })),
  };
}
