import { and, avg, count, eq, min } from 'drizzle-orm';
import type { ProductId } from '#contract/catalog.ts';
import type { ListQuery, ListResponse } from '#contract/lists.ts';
import type { reviewSorts } from '#contract/owner/reviews.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { reviewStates } from '#contract/reviews.ts';
import type { AuditAct } from '#contract/owner/audit.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { notifyOfContent } from '../content/content.ts';
import { readList, type List } from '../lists.ts';
import { withLiveTakes } from '../production/live-takes.ts';
import { videosByIds, type Video } from '../production/production.ts';
import { filterWithdrawnOrders } from '../refunds/withdrawn-videos.ts';
import { reviews, type Review } from './reviews.sql.ts';

type State = (typeof reviewStates)[number];
type Sort = (typeof reviewSorts)[number];

/**
 * A review and the video that its buyer allowed the shop to show. The video is undefined if the take of that consent
 * was replaced or is no longer approved, or if a refund withdrew the videos of the order.
 */
export interface ReviewWithVideo {
  review: Review;
  film: Video | undefined;
}

const isApproved = eq(reviews.state, 'approved');

const list: List<typeof reviews, Sort, State> = {
  table: reviews,
  sorts: { turn: [reviews.turn, reviews.id] },
  sort: 'turn',
  filters: {
    waiting: eq(reviews.state, 'waiting'),
    approved: isApproved,
    hidden: eq(reviews.state, 'hidden'),
  },
  search: (isIn) => isIn(reviews.search),
};

/** Lists reviews for the owner, waiting ones first. The search matches order numbers, names and texts. */
export const listReviews = (db: Db, listQuery: ListQuery<Sort, State>): Promise<ListResponse<ReviewWithVideo>> =>
  readList(db, list, listQuery).then((page) => addVideos(db, page));

const approvedReviewList: List<typeof reviews, 'date', 'approved'> = {
  table: reviews,
  sorts: { date: [reviews.writtenAt, reviews.id] },
  sort: '-date',
  filters: { approved: isApproved },
};

/** The public reviews of a product, newest first, page by page. */
export const readVisibleReviews = (
  db: Db,
  productId: ProductId,
  after?: string,
): Promise<Pick<ListResponse<ReviewWithVideo>, 'rows' | 'next'>> =>
  readList(
    db,
    approvedReviewList,
    { filter: 'approved', after, limit: limits.reviewsOfPage, isCounted: false },
    eq(reviews.productId, productId),
  ).then((page) => addVideos(db, page));

/** The number of public reviews of a product, and their mean stars; null if there are none. */
export async function readRating(db: Db, productId: ProductId): Promise<{ count: number; mean: number | null }> {
  const [all] = await db
    .select({ count: count(), mean: avg(reviews.stars) })
    .from(reviews)
    .where(and(isApproved, eq(reviews.productId, productId)));
  const meanStars = all?.mean ?? null;
  return { count: all?.count ?? 0, mean: meanStars === null ? null : Math.round(Number(meanStars) * 10) / 10 };
}

async function addVideos<Page extends { rows: Review[] }>(
  db: Db,
  page: Page,
): Promise<Omit<Page, 'rows'> & { rows: ReviewWithVideo[] }> {
  const shownRows = page.rows.filter(({ videoId }) => videoId !== null);
  const withdrawnOrderIds = await filterWithdrawnOrders(
    db,
    shownRows.map((it) => it.orderId),
  );
  const ids = shownRows.filter((it) => !withdrawnOrderIds.has(it.orderId)).flatMap(({ videoId }) => videoId ?? []);
  const videos = await withLiveTakes(db, await videosByIds(db, ids));
  const rows = page.rows.map((review) => ({
    review,
    film: videos.find((it) => it.id === review.videoId && isFilmOf(review, it)),
  }));
  return { ...page, rows };
}
const isFilmOf = ({ videoTake }: Review, { take, state, videoKey }: Video) =>
  state === 'approved' && videoKey !== null && take === videoTake;

/**
 * A review and the video that its buyer allowed the shop to show; undefined if there is none. Query it at each use,
 * because the consent or the approval may end.
 */
export async function findVideoOfReview(db: Db, reviewId: string): Promise<{ state: State; film: Video } | undefined> {
  const rows = await db.select().from(reviews).where(eq(reviews.id, reviewId));
  const [found] = (await addVideos(db, { rows })).rows;
  return found?.film && { state: found.review.state, film: found.film };
}

/** The number of reviews that wait for the owner, and the time of the oldest one; undefined if none waits. */
export async function countWaitingReviews(db: Db): Promise<{ count: number; since: Date } | undefined> {
  const [waiting] = await db
    .select({ count: count(), since: min(reviews.writtenAt) })
    .from(reviews)
    .where(eq(reviews.state, 'waiting'));
  return waiting?.since ? { count: waiting.count, since: waiting.since } : undefined;
}

interface Scope {
  db: Db;
  clock: Clock;
}

/** Publishes a review, if it has not changed since the owner read it. */
export const approveReview = (
  scope: Scope,
  id: string,
  version: number,
  by: AuditAuthor = {},
): Promise<ReviewWithVideo> =>
  decideReview(scope, id, by, 'approve-review', (before) => {
    if (before.version !== version) throw new Refusal('review-changed');
    return { state: 'approved', decidedAt: scope.clock.now(), reason: null };
  });

/** Hides a review, whether it is public already or not. */
export const hideReview = (scope: Scope, id: string, reason: string, by: AuditAuthor = {}): Promise<ReviewWithVideo> =>
  decideReview(scope, id, by, 'hide-review', () => ({ state: 'hidden', decidedAt: scope.clock.now(), reason }));

/** Sets the shop's public answer to a review. An empty text removes it. */
export const answerReview = (
  scope: Scope,
  id: string,
  answer: string,
  by: AuditAuthor = {},
): Promise<ReviewWithVideo> =>
  decideReview(scope, id, by, 'answer-review', () => ({ answer: answer === '' ? null : answer }));

async function decideReview(
  { db, clock }: Scope,
  id: string,
  by: AuditAuthor,
  act: AuditAct,
  changeOf: (before: Review) => Partial<Pick<Review, 'state' | 'decidedAt' | 'reason' | 'answer'>>,
): Promise<ReviewWithVideo> {
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(reviews).where(eq(reviews.id, id)).for('update');
    if (!before) throw new Refusal('not-found');
    const change = changeOf(before);
    const reviewAfter = { ...before, ...change };
    await tx.update(reviews).set(change).where(eq(reviews.id, id));
    if (before.state === 'approved' || reviewAfter.state === 'approved') await notifyOfContent(tx, 'reviews');
    // The audit trail must not contain the text, because the writer can delete the review.
    const pickAuditFields = ({ state, reason, version, answer }: Review) => ({
      state,
      reason,
      version,
      isAnswered: answer !== null,
    });
    await recordAuditEntry(tx, clock, {
      act,
      subjectId: id,
      before: pickAuditFields(before),
      after: pickAuditFields(reviewAfter),
      ...by,
    });
    return (await addVideos(tx, { rows: [reviewAfter] })).rows[0]!;
  });
}
