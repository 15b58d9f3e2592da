import { and, eq, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod/mini';
import type { ProductId } from '#contract/catalog.ts';
import type { ReviewBody } from '#contract/review-forms.ts';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { notifyOfContent } from '../content/content.ts';
import { readFramesOfOrders, type Frame } from '../frames/frames.ts';
import { findOrderById, type Order } from '../orders/orders.ts';
import { readWatchableVideos, type FrameVideo } from '../production/delivery.ts';
import { lockVideo } from '../production/production.ts';
import { isWithdrawn } from '../refunds/withdrawn-videos.ts';
import { lockToken, issueToken, readToken } from '../tokens/tokens.ts';
import { findReviewedProduct, filterReviewableOrders } from './request-reviews.ts';
import { reviews, type Review } from './reviews.sql.ts';

export type { Review } from './reviews.sql.ts';

export interface ReviewLinkContent {
  /** The token of the review link. */
  token: string;
  order: Order;
  expiresAt: Date;
  /** The products that the buyer may review. */
  products: ProductId[];
  reviews: Review[];
  /** The buyer's finished videos, by frame. None if a refund withdrew them. */
  films: { frame: Frame; film: FrameVideo }[];
}

/**
 * Creates a review link for the customer's account page. Returns the token. Refuses an order for which no review was
 * requested.
 */
export async function issueReviewToken({ db, clock }: { db: Db; clock: Clock }, order: Order): Promise<string> {
  if (!(await filterReviewableOrders(db, [order])).has(order)) throw new Refusal('review-link-invalid');
  return issueToken(db, clock, { purpose: 'review', subjectId: order.id, seconds: lifetimes.reviewLinkDays * 86_400 });
}

/** Reads what a review link shows. */
export async function readReviewLinkContent(db: Db, token: string): Promise<ReviewLinkContent | undefined> {
  const access = await readToken(db, 'review', token);
  const order = access && (await findOrderById(db, access.subjectId));
  if (!order) return undefined;
  const frames = await readFramesOfOrders(db, [order.id]);
  const framesWithVideos = (await isWithdrawn(db, order.id)) ? [] : frames;
  const shownReviews = await Promise.all(
    framesWithVideos
      .filter((it) => it.videosReadyAt !== null)
      .map(async (frame) => (await readWatchableVideos(db, frame.id)).map((film) => ({ frame, film }))),
  );
  return {
    token,
    order,
    expiresAt: access.expiresAt,
    products: listProductIds(order, frames),
    reviews: await readReviewsOfOrders(db, [order.id]),
    films: shownReviews.flat(),
  };
}

/**
 * The products of an order: the frame or the byof service, and the extra package if any were bought with the order or
 * later.
 */
function listProductIds(order: Order, frames: Frame[]): ProductId[] {
  const hasPackages = order.extraPackages > 0 || frames.some((it) => it.laterPhotos > 0);
  return [findReviewedProduct(order), ...(hasPackages ? (['photo2video-10'] as const) : [])];
}

export const readReviewsOfOrders = (db: Db, orderIds: string[]): Promise<Review[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : db.select().from(reviews).where(inArray(reviews.orderId, orderIds)).orderBy(reviews.productId);

/**
 * Stores a review, or changes it while the owner has not decided. Simultaneous requests store only one review. Refuses
 * a video that does not belong to the buyer, is not approved, or has another take than the buyer saw.
 */
export async function writeReview(
  { db, clock }: { db: Db; clock: Clock },
  { token, order, products, films }: ReviewLinkContent,
  productId: ProductId,
  { stars, words, name, film }: z.output<typeof ReviewBody>,
): Promise<void> {
  if (!products.includes(productId)) throw new Refusal('not-found');
  await db.transaction(async (tx) => {
    // Lock the token first. The deletion of an account uses the same sequence: it revokes the link, and then deletes
    // the reviews.
    if (!(await lockToken(tx, 'review', token))) throw new Refusal('review-link-invalid');
    if (film) await lockReviewVideo(tx, films, film);
    const fields = { stars, words, name, videoId: film?.id ?? null, videoTake: film?.take ?? null };
    const reviewFields = { ...fields, writtenAt: clock.now() };
    const { id: orderId, orderNumber } = order;
    const updatedReview = await tx
      .insert(reviews)
      .values({ id: newId(), orderId, orderNumber, productId, state: 'waiting', ...reviewFields })
      .onConflictDoUpdate({
        target: [reviews.orderId, reviews.productId],
        set: { ...reviewFields, version: sql`${reviews.version} + 1` },
        setWhere: eq(reviews.state, 'waiting'),
      })
      .returning({ id: reviews.id });
    if (updatedReview.length === 0) throw new Refusal('review-decided');
  });
}

/** Locks the video until the consent is stored. Refuses if its take is not the one that the buyer saw. */
async function lockReviewVideo(tx: Db, films: ReviewLinkContent['films'], { id, take }: { id: string; take: number }) {
  const isOwnVideo = films.some((it) => it.film.video.id === id);
  const video = isOwnVideo ? await lockVideo(tx, id) : undefined;
  if (video?.state !== 'approved' || video.take !== take) throw new Refusal('review-film-gone');
}

/** Keeps the consent valid when a take that the owner keeps gets a new number. */
export async function renumberReviewVideo(
  tx: Db,
  videoId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx
    .update(reviews)
    .set({ videoTake: to })
    .where(and(eq(reviews.videoId, videoId), eq(reviews.videoTake, from)));
}

/**
 * Deletes a review and its consent on behalf of its writer, at any time. Does nothing if the review is already deleted.
 */
export async function withdrawReview(db: Db, orderId: string, productId: ProductId): Promise<void> {
  await db.transaction((tx) => eraseReviews(tx, and(eq(reviews.orderId, orderId), eq(reviews.productId, productId))));
}

/** Deletes the reviews of these orders, because their account is deleted. */
export const deleteReviewsOf = (tx: Db, orderIds: string[]): Promise<void> =>
  eraseReviews(tx, inArray(reviews.orderId, orderIds));

async function eraseReviews(tx: Db, which: ReturnType<typeof and>): Promise<void> {
  const deletedRows = await tx.delete(reviews).where(which).returning({ state: reviews.state });
  if (deletedRows.some(({ state }) => state === 'approved')) await notifyOfContent(tx, 'reviews');
}
