import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rateLimits } from '#contract/limits.ts';
import type { RateName } from '#contract/operation.ts';
import { Refusal } from '#contract/refusals.ts';
import { forgetRows } from '#shop/forget.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { rateCounters } from './rate-limits.sql.ts';

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

/**
 * For a route that decides itself what counts: seconds that an address has to wait where this was one too many, else 0.
 *
 * @param skipOnError when nobody can count, nobody waits
 */
export function counter(app: FastifyInstance, name: RateName, { skipOnError = false } = {}) {
  if (!app.hasDecorator('createRateLimit')) return async () => 0; // RATE_LIMITS=off
  const count = app.createRateLimit({ ...rateOf(name), allowList: [], skipOnError });
  return async (request: FastifyRequest): Promise<number> => {
    const counted = await count(request);
    return !counted.isAllowed && counted.isExceeded ? counted.ttlInSeconds : 0;
  };
}

/** For a route that counts no calls, only what it finds fault with: refuses an address with too many faults. */
export function faultCounter(app: FastifyInstance, name: RateName) {
  const secondsToWait = counter(app, name);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const seconds = await secondsToWait(request);
    if (seconds === 0) return;
    reply.header('retry-after', seconds);
    throw new Refusal('too-many-requests');
  };
}

/**
 * Counters in the database, shared by all processes: an address's calls of one kind in the present window.
 *
 * @param mostRemembered of more addresses over their limit, the one remembered longest is counted anew
 */
export function rateLimitStore(db: Db, clock: Clock, mostRemembered = 10_000) {
  const refused = usedUpWindows(clock, mostRemembered);

  /** Who is over the limit is told so from memory until the window ends: a no costs no query. */
  async function countUnlessRefused(key: string, windowMs: number, max: number) {
    const msLeft = refused.msLeft(key);
    if (msLeft > 0) return { current: max + 1, ttl: msLeft };
    const counted = await count(db, key, windowMs);
    if (counted.current > max) refused.add(key, counted.ttl);
    return counted;
  }

  return class CounterStore implements FastifyRateLimitStore {
    readonly #group: string;
    constructor(options: { groupId?: string } = {}) {
      this.#group = options.groupId ?? 'other';
    }
    incr(
      address: string,
      answer: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
      max: number,
    ): void {
      countUnlessRefused(`${this.#group}:${address}`, windowMs, max).then(
        (result) => answer(null, result),
        (error: Error) => answer(error),
      );
    }
    child(routeOptions: unknown): FastifyRateLimitStore {
      const { groupId } = routeOptions as { groupId?: string };
      return new CounterStore(groupId === undefined ? {} : { groupId });
    }
  };
}

/** When the windows end in which a counter is used up. */
function usedUpWindows(clock: Clock, most: number) {
  const ends = new Map<string, number>();
  return {
    msLeft(key: string): number {
      const left = (ends.get(key) ?? 0) - clock.now().getTime();
      if (left <= 0) ends.delete(key);
      return left;
    },
    add(key: string, ms: number): void {
      if (ends.size >= most) ends.delete(ends.keys().next().value!);
      ends.set(key, clock.now().getTime() + ms);
    },
  };
}

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

export const forgetRateCounters = forgetRows(rateCounters, rateCounters.key, rateCounters.endsAt);
