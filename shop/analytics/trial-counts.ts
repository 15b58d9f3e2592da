import { and, eq, gte, lt, not, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { dayAfter, endOfDay } from '#contract/calendar.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import type { DaySpan } from '../tallies/spans.ts';
import { triedFilms } from './analytics.sql.ts';

/** The condition that the order of a cart is paid. */
export type CartPaidCondition = (cartId: SQLWrapper) => SQL;

/** Counts a free video. Counting the same video again has no effect. */
export const countTrialVideo = (tx: Db, clock: Clock, id: string) =>
  tx.insert(triedFilms).values({ id, triedAt: clock.now() }).onConflictDoNothing();

/** Notes the cart that the visitor of a counted video is about to pay. A later cart replaces it until it is paid. */
export const recordCartOfTrial = (
  db: Db,
  isCartPaid: CartPaidCondition,
  { id, cartId }: { id: string; cartId: string },
) =>
  db
    .update(triedFilms)
    .set({ cartId })
    .where(and(eq(triedFilms.id, id), not(isCartPaid(triedFilms.cartId))));

/** The free videos of these days, and how many of their visitors have bought since. */
export async function countTrialsInSpan(
  db: Db,
  { from, to }: DaySpan,
  isCartPaid: CartPaidCondition,
): Promise<{ tried: number; bought: number }> {
  const [counts] = await db
    .select({
      tried: sql`count(*)`.mapWith(Number),
      // Two videos of one browser lead to one purchase.
      bought: sql`count(distinct ${triedFilms.cartId}) filter (where ${isCartPaid(triedFilms.cartId)})`.mapWith(Number),
    })
    .from(triedFilms)
    .where(and(gte(triedFilms.triedAt, endOfDay(dayAfter(from, -1))), lt(triedFilms.triedAt, endOfDay(to))));
  return counts!;
}

export const deleteOldTrialCounts = deleteOldRows(triedFilms, triedFilms.id, triedFilms.triedAt);
