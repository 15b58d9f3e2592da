import { eq, sql } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { forgetRows } from '../forget.ts';
import { hashOf } from '../tokens/tokens.ts';
import { signInFailures } from './accounts.sql.ts';

/** Failures that cost nothing; each further one doubles the wait, up to the longest. */
const free = 4;
const longestMs = 8000;
/** Failures older than this are forgotten. */
const memoryMs = 15 * 60_000;

/**
 * Count a try to sign in as failed, by account and by address, and answer how long it has to wait, in milliseconds: a
 * delay, never a lock. Counted before it waits and before the password is looked at, so that of many tries at once each
 * has a wait of its own; `forgiveSignIn` takes it back.
 *
 * @param tried the account, then the address: two tries that share both take them in one sequence
 */
export async function countSignIn(db: Db, clock: Clock, tried: string[]): Promise<number> {
  const now = clock.now();
  const forgotten = new Date(now.getTime() - memoryMs).toISOString();
  const counted = await db
    .insert(signInFailures)
    .values(tried.map((it) => ({ key: hashOf(it), failures: 1, lastFailedAt: now })))
    .onConflictDoUpdate({
      target: signInFailures.key,
      set: {
        failures: sql`case when ${signInFailures.lastFailedAt} < ${forgotten}::timestamptz then 1 else ${signInFailures.failures} + 1 end`,
        lastFailedAt: now,
      },
    })
    .returning({ failures: signInFailures.failures });
  const before = Math.max(...counted.map((it) => it.failures)) - 1;
  return before < free ? 0 : Math.min(longestMs, 250 * 2 ** (before - free));
}

/** One row after the other: held together, they could wait for a try that holds them the other way round. */
export async function forgiveSignIn(db: Db, tried: string[]): Promise<void> {
  for (const it of tried) await db.delete(signInFailures).where(eq(signInFailures.key, hashOf(it)));
}

export const forgetSignInFailures = forgetRows(signInFailures, signInFailures.key, signInFailures.lastFailedAt);
