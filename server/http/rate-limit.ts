import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { lt, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { rateLimits } from '#contract/limits.ts';
import type { RateName } from '#contract/operation.ts';
import type { Db } from '#shop/ports.ts';
import { rateCounters } from '../rate-limits.sql.ts';

/** The route option that counts its calls under this name. */
export const rateOf = (name: RateName) => ({
  max: rateLimits[name].max,
  timeWindow: rateLimits[name].seconds * 1000,
  groupId: name,
});

export function rateNameOf({ routeOptions }: FastifyRequest): string {
  const { rateLimit } = routeOptions.config;
  return (rateLimit && rateLimit.groupId) || 'other';
}

/** Counters in the database, shared by all processes: an address's calls of one kind in the present window. */
export const rateLimitStore = (db: Db) =>
  class CounterStore implements FastifyRateLimitStore {
    readonly #group: string;
    constructor(options: { groupId?: string } = {}) {
      this.#group = options.groupId ?? 'other';
    }
    incr(
      address: string,
      answer: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
    ): void {
      count(db, `${this.#group}:${address}`, windowMs).then(
        (result) => answer(null, result),
        (error: Error) => answer(error),
      );
    }
    child(routeOptions: unknown): FastifyRateLimitStore {
      const { groupId } = routeOptions as { groupId?: string };
      return new CounterStore(groupId === undefined ? {} : { groupId });
    }
  };

async function count(db: Db, key: string, windowMs: number) {
  const end = sql`now() + make_interval(secs => ${windowMs / 1000})`;
  const isOver = sql`${rateCounters.endsAt} <= now()`;
  const [row] = await db
    .insert(rateCounters)
    .values({ key, count: 1, endsAt: end as never })
    .onConflictDoUpdate({
      target: rateCounters.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${rateCounters.count} + 1 end`,
        endsAt: sql`case when ${isOver} then ${end} else ${rateCounters.endsAt} end`,
      },
    })
    .returning({
      current: rateCounters.count,
      ttl: sql<number>`ceil(extract(epoch from ${rateCounters.endsAt} - now()) * 1000)`.mapWith(Number),
    });
  return row!;
}

export const sweepRateCounters = (db: Db) => db.delete(rateCounters).where(lt(rateCounters.endsAt, sql`now()`));
