import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { hashToken } from '../tokens/tokens.ts';
import { signInFailures, tries } from './accounts.sql.ts';

/** The limits of wrong passwords or codes. They apply across all IP addresses, processes and parallel requests. */
interface TriesBudget {
  /** At most this many within `seconds`. */
  max: number;
  seconds: number;
  aDay: number;
  /** After this many wrong tries in a row, no try is checked until `unlockAttempts` is called. */
  inRow?: number;
}

export type AttemptResult =
  /** The try is counted and may be checked. `inRow` and `today` include it. */
  | { state: 'counted'; at: Date; inRow: number; today: number }
  | { state: 'locked' }
  | { state: 'later'; retryAfterSeconds: number };

/** Names the account and the kind of try. `each` counts the tries of a kind separately, for example by IP address. */
type AttemptSubject = string | { kind: string; each: string };

// The kind is hashed separately, so that the tries of a kind can be deleted without knowing every `each`.
const createAttemptKey = (whose: AttemptSubject) =>
  typeof whose === 'string' ? hashToken(whose) : `${hashToken(whose.kind)}:${hashToken(whose.each)}`;

const daySeconds = 86_400;

/**
 * Count a try as wrong before it is checked. One conditional statement counts and decides, so that simultaneous tries
 * cannot exceed the budget. `removeAttempt` undoes the count of a correct try.
 */
export async function countAttempt(
  db: Db,
  clock: Clock,
  whose: AttemptSubject,
  budget: TriesBudget,
): Promise<AttemptResult> {
  const currentTime = clock.now();
  const now = sqlTimestamp(currentTime);
  const key = createAttemptKey(whose);
  const computeTimeSecondsAgo = (seconds: number) => sql`${now} - make_interval(secs => ${seconds})`;
  const countAttemptsSince = (seconds: number) =>
    sql`(select count(*) from unnest(${tries.times}) as tried where tried > ${computeTimeSecondsAgo(seconds)})`;
  const attemptsOfToday = sql`array(select tried from unnest(${tries.times}) as tried where tried > ${computeTimeSecondsAgo(daySeconds)} order by tried)`;
  const isWithinBudget = sql`${tries.inRow} < ${budget.inRow ?? 2_000_000_000}
    and ${countAttemptsSince(budget.seconds)} < ${budget.max} and ${countAttemptsSince(daySeconds)} < ${budget.aDay}`;
  const [counted] = await db
    .insert(tries)
    .values({ key, times: sql`array[${now}]`, inRow: 1, lastTriedAt: currentTime })
    .onConflictDoUpdate({
      target: tries.key,
      set: { times: sql`${attemptsOfToday} || ${now}`, inRow: sql`${tries.inRow} + 1`, lastTriedAt: currentTime },
      setWhere: isWithinBudget,
    })
    .returning({ inRow: tries.inRow, today: sql<number>`cardinality(${tries.times})`.mapWith(Number) });
  if (counted) return { state: 'counted', at: currentTime, ...counted };
  const [found] = await db.select().from(tries).where(eq(tries.key, key));
  if (budget.inRow !== undefined && found && found.inRow >= budget.inRow) return { state: 'locked' };
  const nextTryMs = found ? computeNextTryTimeMs(found.times, currentTime, budget) : currentTime.getTime();
  // A correct try has reset the count between the two statements, so this try may be counted after all.
  if (nextTryMs <= currentTime.getTime()) return countAttempt(db, clock, whose, budget);
  return { state: 'later', retryAfterSeconds: Math.max(1, Math.ceil((nextTryMs - currentTime.getTime()) / 1000)) };
}

/**
 * The time in milliseconds when the next try is allowed: both time windows, `seconds` and one day, then contain fewer
 * tries than their limits.
 */
function computeNextTryTimeMs(times: Date[], now: Date, { max, seconds, aDay }: TriesBudget): number {
  const windowEnds = [
    { most: max, ms: seconds * 1000 },
    { most: aDay, ms: daySeconds * 1000 },
  ].map(({ most, ms }) => {
    const timesInWindow = times.map(Number).filter((time) => time > now.getTime() - ms);
    return timesInWindow.length < most ? now.getTime() : timesInWindow.toSorted((a, b) => a - b).at(-most)! + ms;
  });
  return Math.max(...windowEnds);
}

/** Call it after a correct try. Removes the try, and resets the number of wrong tries in a row. */
export async function removeAttempt(db: Db, whose: AttemptSubject, { at }: { at: Date }): Promise<void> {
  const isAttemptOfSubject = eq(tries.key, createAttemptKey(whose));
  const isOnlyAttempt = sql`${tries.times} = array[${sqlTimestamp(at)}]`;
  const endedRows = await db.delete(tries).where(and(isAttemptOfSubject, isOnlyAttempt)).returning({ key: tries.key });
  if (endedRows.length > 0) return;
  const position = sql`array_position(${tries.times}, ${sqlTimestamp(at)})`;
  await db
    .update(tries)
    .set({
      times: sql`case when ${position} is null then ${tries.times}
        else ${tries.times}[:${position} - 1] || ${tries.times}[${position} + 1:] end`,
      inRow: 0,
    })
    .where(isAttemptOfSubject);
}

/** The number of wrong tries in a row. Locks the row until the transaction ends. */
export async function countConsecutiveFailures(tx: Db, whose: string): Promise<number> {
  const [found] = await tx
    .select({ inRow: tries.inRow })
    .from(tries)
    .where(eq(tries.key, hashToken(whose)))
    .for('update');
  return found?.inRow ?? 0;
}

/** Allow tries again after too many wrong ones in a row. The tries of the last day still count for the daily limit. */
export async function unlockAttempts(db: Db, whose: string): Promise<void> {
  await db
    .update(tries)
    .set({ inRow: 0 })
    .where(eq(tries.key, hashToken(whose)));
}

/** Delete all tries that were counted for this account and kind of try. */
export async function deleteAttemptsOf(db: Db, whose: string): Promise<void> {
  await db.delete(tries).where(eq(tries.key, hashToken(whose)));
}

/** Delete all tries of a kind that are counted separately. */
export async function deleteAttemptsOfKind(db: Db, kind: string): Promise<void> {
  await db.delete(tries).where(sql`starts_with(${tries.key}, ${`${hashToken(kind)}:`})`);
}

const sqlTimestamp = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

export const deleteOldAttempts = deleteOldRows(tries, tries.key, tries.lastTriedAt);
/** Deletes old rows of the table that the previous release uses. */
export const deleteOldSignInFailures = deleteOldRows(signInFailures, signInFailures.key, signInFailures.lastFailedAt);
