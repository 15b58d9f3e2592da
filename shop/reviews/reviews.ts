import { and, eq, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod/mini';
import type { ProductId } from '#contract/catalog.ts';
import type { ReviewBody } from '#contract/review-forms.ts';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { tellOfContent } from '../content/content.ts';
import { framesOfOrders, type Frame } from '../frames/frames.ts';
import { orderById, type Order } from '../orders/orders.ts';
import { isAccepted, videosWithPhotos, type FrameVideo } from '../production/delivery.ts';
import { holdVideo } from '../production/production.ts';
import { holdToken, issueToken, readToken } from '../tokens/tokens.ts';
import { productOf, reviewable } from './asking.ts';
import { reviews, type Review } from './reviews.sql.ts';

export type { Review } from './reviews.sql.ts';

export interface ReviewDesk {
  /** What opened it. */
  token: string;
  order: Order;
  expiresAt: Date;
  /** What its buyer may say something of. */
  products: ProductId[];
  reviews: Review[];
  /** Their finished videos, frame by frame. */
  films: { frame: Frame; film: FrameVideo }[];
}

/** The customer's own way to it, as the mail's link is. Answers the token. Refuses an order that nobody was asked about. */
export async function openReview({ db, clock }: { db: Db; clock: Clock }, order: Order): Promise<string> {
  if (!(await reviewable(db, [order])).has(order)) throw new Refusal('review-link-invalid');
  return issueToken(db, clock, { purpose: 'review', subjectId: order.id, seconds: lifetimes.reviewLinkDays * 86_400 });
}

/** What the link of a review mail opens. */
export async function readReviewDesk(db: Db, token: string): Promise<ReviewDesk | undefined> {
  const access = await readToken(db, 'review', token);
  const order = access && (await orderById(db, access.subjectId));
  if (!order) return undefined;
  const frames = await framesOfOrders(db, [order.id]);
  const shown = await Promise.all(
    frames
      .filter((it) => it.videosReadyAt !== null)
      .map(async (frame) => (await videosWithPhotos(db, frame.id)).filter(isAccepted).map((film) => ({ frame, film }))),
  );
  return {
    token,
    order,
    expiresAt: access.expiresAt,
    products: productsOf(order, frames),
    reviews: await reviewsOfOrders(db, [order.id]),
    films: shown.flat(),
  };
}

/** The frame, or the service for it; and the photo packages that were bought with it or for it later. */
function productsOf(order: Order, frames: Frame[]): ProductId[] {
  const hasPackages = order.extraPackages > 0 || frames.some((it) => it.laterPhotos > 0);
  return [productOf(order), ...(hasPackages ? (['photo2video-10'] as const) : [])];
}

export const reviewsOfOrders = (db: Db, orderIds: string[]): Promise<Review[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : db.select().from(reviews).where(inArray(reviews.orderId, orderIds)).orderBy(reviews.productId);

/**
 * Write a review, or write it anew while the owner has not decided: of two sent at once there is one. Refused where the
 * video to be shown is not the buyer's own, finished, and as they saw it.
 */
export async function writeReview(
  { db, clock }: { db: Db; clock: Clock },
  { token, order, products, films }: ReviewDesk,
  productId: ProductId,
  { stars, words, name, film }: z.output<typeof ReviewBody>,
): Promise<void> {
  if (!products.includes(productId)) throw new Refusal('not-found');
  await db.transaction(async (tx) => {
    // An account that is deleted meanwhile ends the link first, and then forgets what was written by it.
    if (!(await holdToken(tx, 'review', token))) throw new Refusal('review-link-invalid');
    if (film) await holdFilm(tx, films, film);
    const said = { stars, words, name, videoId: film?.id ?? null, videoTake: film?.take ?? null };
    const written = { ...said, writtenAt: clock.now() };
    const { id: orderId, orderNumber } = order;
    const kept = await tx
      .insert(reviews)
      .values({ id: newId(), orderId, orderNumber, productId, state: 'waiting', ...written })
      .onConflictDoUpdate({
        target: [reviews.orderId, reviews.productId],
        set: { ...written, version: sql`${reviews.version} + 1` },
        setWhere: eq(reviews.state, 'waiting'),
      })
      .returning({ id: reviews.id });
    if (kept.length === 0) throw new Refusal('review-decided');
  });
}

/** The video stays as it was looked at until the consent stands beside it. */
async function holdFilm(tx: Db, films: ReviewDesk['films'], { id, take }: { id: string; take: number }) {
  const isOwn = films.some((it) => it.film.video.id === id);
  const video = isOwn ? await holdVideo(tx, id) : undefined;
  if (video?.state !== 'approved' || video.take !== take) throw new Refusal('review-film-gone');
}

/** Its writer takes a review back, at any time: it is gone, and with it the consent. Taken back before, nothing happens. */
export async function withdrawReview(db: Db, orderId: string, productId: ProductId): Promise<void> {
  await db.transaction((tx) => erase(tx, and(eq(reviews.orderId, orderId), eq(reviews.productId, productId))));
}

/** What buyers said of these orders, whose account is gone. */
export const forgetReviewsOf = (tx: Db, orderIds: string[]): Promise<void> =>
  erase(tx, inArray(reviews.orderId, orderIds));

async function erase(tx: Db, which: ReturnType<typeof and>): Promise<void> {
  const gone = await tx.delete(reviews).where(which).returning({ state: reviews.state });
  if (gone.some(({ state }) => state === 'approved')) await tellOfContent(tx, 'reviews');
}
