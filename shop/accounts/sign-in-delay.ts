import { inArray, lt, sql } from 'drizzle-orm';
import type { Clock, Db } from '../ports.ts';
import { signInFailures } from './accounts.sql.ts';
import { hashOf } from './tokens.ts';

/** Failures that cost nothing; each further one doubles the wait, up to the longest. */
const free = 4;
const longestMs = 8000;
/** Failures older than this are forgotten. */
const memoryMs = 15 * 60_000;

const keysOf = (tried: string[]) => tried.map((it) => hashOf(it));

/** How long to keep the next try waiting, in milliseconds, by account and by address: a delay, never a lock. */
export async function signInDelay(db: Db, clock: Clock, tried: string[]): Promise<number> {
  const rows = await db
    .select()
    .from(signInFailures)
    .where(inArray(signInFailures.key, keysOf(tried)));
  const recent = rows.filter((it) => clock.now().getTime() - it.lastFailedAt.getTime() < memoryMs);
  const failures = Math.max(0, ...recent.map((it) => it.failures));
  return failures < free ? 0 : Math.min(longestMs, 250 * 2 ** (failures - free));
}

export async function failSignIn(db: Db, clock: Clock, tried: string[]): Promise<void> {
  const now = clock.now();
  const forgotten = new Date(now.getTime() - memoryMs).toISOString();
  await db
    .insert(signInFailures)
    .values(keysOf(tried).map((key) => ({ key, failures: 1, lastFailedAt: now })))
    .onConflictDoUpdate({
      target: signInFailures.key,
      set: {
        failures: sql`case when ${signInFailures.lastFailedAt} < ${forgotten}::timestamptz then 1 else ${signInFailures.failures} + 1 end`,
        lastFailedAt: now,
      },
    });
}

export const sweepSignInFailures = (db: Db, clock: Clock) =>
  db.delete(signInFailures).where(lt(signInFailures.lastFailedAt, new Date(clock.now().getTime() - memoryMs)));

export const forgiveSignIn = (db: Db, tried: string[]) =>
  db.delete(signInFailures).where(inArray(signInFailures.key, keysOf(tried)));
