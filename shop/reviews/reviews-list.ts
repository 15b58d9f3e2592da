import { and, avg, count, eq, min } from 'drizzle-orm';
import type { ProductId } from '#contract/catalog.ts';
import type { Asked, ListAnswer } from '#contract/lists.ts';
import type { reviewSorts } from '#contract/owner/reviews.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { reviewStates } from '#contract/reviews.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { recordAct } from '../audit/audit.ts';
import { tellOfContent } from '../content/content.ts';
import { readList, type List } from '../lists.ts';
import { videosByIds, type Video } from '../production/production.ts';
import { reviews, type Review } from './reviews.sql.ts';

type State = (typeof reviewStates)[number];
type Sort = (typeof reviewSorts)[number];
/** Which request of the admin panel it was. */
interface By {
  requestId?: string;
}

/** A review, and the video that goes with it now: none where the consent's take is gone or no longer accepted. */
export interface ReviewWithFilm {
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

/** Reviews for the owner, those that wait first; found by order number, name and words. */
export const listReviews = (db: Db, asked: Asked<Sort, State>): Promise<ListAnswer<ReviewWithFilm>> =>
  readList(db, list, asked).then((page) => withFilms(db, page));

const shown: List<typeof reviews, 'date', 'approved'> = {
  table: reviews,
  sorts: { date: [reviews.writtenAt, reviews.id] },
  sort: '-date',
  filters: { approved: isApproved },
};

/** What everyone may read of a product, newest first, some at a time. */
export const readShown = (
  db: Db,
  productId: ProductId,
  after?: string,
): Promise<Pick<ListAnswer<ReviewWithFilm>, 'rows' | 'next'>> =>
  readList(
    db,
    shown,
    { filter: 'approved', after, limit: limits.reviewsOfPage, isCounted: false },
    eq(reviews.productId, productId),
  ).then((page) => withFilms(db, page));

/** How many reviews stand on a product's page, and the mean of their stars; null where there are none. */
export async function ratingOf(db: Db, productId: ProductId): Promise<{ count: number; mean: number | null }> {
  const [all] = await db
    .select({ count: count(), mean: avg(reviews.stars) })
    .from(reviews)
    .where(and(isApproved, eq(reviews.productId, productId)));
  const mean = all?.mean ?? null;
  return { count: all?.count ?? 0, mean: mean === null ? null : Math.round(Number(mean) * 10) / 10 };
}

async function withFilms<Page extends { rows: Review[] }>(
  db: Db,
  page: Page,
): Promise<Omit<Page, 'rows'> & { rows: ReviewWithFilm[] }> {
  const videos = await videosByIds(
    db,
    page.rows.flatMap(({ videoId }) => videoId ?? []),
  );
  const rows = page.rows.map((review) => ({
    review,
    film: videos.find((it) => it.id === review.videoId && isFilmOf(review, it)),
  }));
  return { ...page, rows };
}
const isFilmOf = ({ videoTake }: Review, { take, state, videoKey }: Video) =>
  state === 'approved' && videoKey !== null && take === videoTake;

/** The video that everyone may watch beside a review: asked at each use, since consent and approval may end. */
export async function filmShownWith(db: Db, reviewId: string): Promise<Video | undefined> {
  const rows = await db
    .select()
    .from(reviews)
    .where(and(eq(reviews.id, reviewId), isApproved));
  return (await withFilms(db, { rows })).rows[0]?.film;
}

/** How many the owner has to read, and since when the oldest waits; undefined where none does. */
export async function waitingReviews(db: Db): Promise<{ count: number; since: Date } | undefined> {
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

/** Show a review on its product's page, if it still says what the owner has read. */
export const approveReview = (scope: Scope, id: string, version: number, by: By = {}): Promise<ReviewWithFilm> =>
  decide(scope, id, by, 'approve-review', (before) => {
    if (before.version !== version) throw new Refusal('review-changed');
    return { state: 'approved', decidedAt: scope.clock.now(), reason: null };
  });

/** Do not show it, or no longer. */
export const hideReview = (scope: Scope, id: string, reason: string, by: By = {}): Promise<ReviewWithFilm> =>
  decide(scope, id, by, 'hide-review', () => ({ state: 'hidden', decidedAt: scope.clock.now(), reason }));

/** The shop's answer, below it for everyone; an empty one takes it away. */
export const answerReview = (scope: Scope, id: string, answer: string, by: By = {}): Promise<ReviewWithFilm> =>
  decide(scope, id, by, 'answer-review', () => ({ answer: answer === '' ? null : answer }));

async function decide(
  { db, clock }: Scope,
  id: string,
  by: By,
  act: string,
  changeOf: (before: Review) => Partial<Pick<Review, 'state' | 'decidedAt' | 'reason' | 'answer'>>,
): Promise<ReviewWithFilm> {
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(reviews).where(eq(reviews.id, id)).for('update');
    if (!before) throw new Refusal('not-found');
    const change = changeOf(before);
    const after = { ...before, ...change };
    await tx.update(reviews).set(change).where(eq(reviews.id, id));
    if (before.state === 'approved' || after.state === 'approved') await tellOfContent(tx, 'reviews');
    // What was written goes when its writer takes it back, so it is not kept here.
    const facts = ({ state, reason, version, answer }: Review) => ({
      state,
      reason,
      version,
      isAnswered: answer !== null,
    });
    await recordAct(tx, clock, { act, subjectId: id, before: facts(before), after: facts(after), ...by });
    return (await withFilms(tx, { rows: [after] })).rows[0]!;
  });
}
