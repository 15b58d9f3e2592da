import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { proofOfWorkLimits, rateLimits } from '#contract/limits.ts';
import type { RateLimitName } from '#contract/operation.ts';
import { Refusal } from '#contract/refusals.ts';
import { deleteOldRows } from '#shop/delete-old-rows.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { rateCounters } from './rate-limits.sql.ts';

/** The `rateLimit` option of a route whose calls are counted under this name. */
export const createRateLimitOptions = (name: RateLimitName) => ({
  max: rateLimits[name].max,
  timeWindow: rateLimits[name].seconds * 1000,
  groupId: name,
});

/**
 * Returns a function that counts a call for its quiet limit, in addition to the limit that refuses calls. It returns
 * true if the IP address is over the quiet limit.
 */
export function createQuietLimitCounter(app: FastifyInstance, name: keyof typeof proofOfWorkLimits) {
  if (!app.hasDecorator('createRateLimit')) return async () => false; // rate limits are off (RATE_LIMITS=off)
  const { max, seconds } = proofOfWorkLimits[name];
  const group = { groupId: `quiet-${name}` };
  const checkRate = app.createRateLimit({ ...group, max, timeWindow: seconds * 1000, allowList: [] });
  return async (request: FastifyRequest): Promise<boolean> => {
    const rateResult = await checkRate(request);
    return !rateResult.isAllowed && rateResult.isExceeded;
  };
}

/** Give every API route that has no limit the limit named `other`. Call this before the rate limiter is registered. */
export function limitApiRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/')) route.config = { rateLimit: createRateLimitOptions('other'), ...route.config };
  });
}

export function rateNameOf({ routeOptions }: FastifyRequest): string {
  const { rateLimit } = routeOptions.config;
  return (rateLimit && rateLimit.groupId) || 'other';
}

/**
 * For a route that itself decides which calls are counted. Returns a function that counts a call. It returns the
 * seconds that the IP address must wait, or 0 if the call is within the limit.
 *
 * @param skipOnError if counting fails, allow the call
 */
export function createRateCounter(app: FastifyInstance, name: RateLimitName, { skipOnError = false } = {}) {
  if (!app.hasDecorator('createRateLimit')) return async () => 0; // rate limits are off (RATE_LIMITS=off)
  const checkRate = app.createRateLimit({ ...createRateLimitOptions(name), allowList: [], skipOnError });
  return async (request: FastifyRequest): Promise<number> => {
    const requestCount = await checkRate(request);
    return !requestCount.isAllowed && requestCount.isExceeded ? requestCount.ttlInSeconds : 0;
  };
}

/**
 * For a route that counts only faulty calls. Returns a function that counts one, and refuses IP addresses with too
 * many.
 */
export function createFaultCounter(app: FastifyInstance, name: RateLimitName) {
  const secondsToWait = createRateCounter(app, name);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const seconds = await secondsToWait(request);
    if (seconds === 0) return;
    reply.header('retry-after', seconds);
    throw new Refusal('too-many-requests');
  };
}

/**
 * Rate limit counters in the database, shared by all processes. A counter has the number of calls of one kind from one
 * IP address, or one sender of uploads, in the current window.
 *
 * @param mostRemembered how many counters over their limit are remembered in memory. Beyond that, the oldest is
 * forgotten and counted in the database again
 */
export function createRateLimitStore(db: Db, clock: Clock, mostRemembered = 10_000) {
  const refusedWindows = trackUsedUpWindows(clock, mostRemembered);

  /** Refuses a call over the limit from memory until the window ends, so that it needs no query. */
  async function countUnlessRefused(key: string, windowMs: number, max: number) {
    const msLeft = refusedWindows.msLeft(key);
    if (msLeft > 0) return { current: max + 1, ttl: msLeft };
    const requestCount = await countRequest(db, key, windowMs);
    if (requestCount.current > max) refusedWindows.add(key, requestCount.ttl);
    return requestCount;
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

/** Remembers when the window of each counter over its limit ends. */
function trackUsedUpWindows(clock: Clock, most: number) {
  const windowEnds = new Map<string, number>();
  return {
    msLeft(key: string): number {
      const msLeft = (windowEnds.get(key) ?? 0) - clock.now().getTime();
      if (msLeft <= 0) windowEnds.delete(key);
      return msLeft;
    },
    add(key: string, ms: number): void {
      if (windowEnds.size >= most) windowEnds.delete(windowEnds.keys().next().value!);
      windowEnds.set(key, clock.now().getTime() + ms);
    },
  };
}

async function countRequest(db: Db, key: string, windowMs: number) {
  const windowEnd = sql`now() + make_interval(secs => ${windowMs / 1000})`;
  const isWindowOver = sql`${rateCounters.endsAt} <= now()`;
  const [row] = await db
    .insert(rateCounters)
    .values({ key, count: 1, endsAt: windowEnd as never })
    .onConflictDoUpdate({
      target: rateCounters.key,
      set: {
        count: sql`case when ${isWindowOver} then 1 else ${rateCounters.count} + 1 end`,
        endsAt: sql`case when ${isWindowOver} then ${windowEnd} else ${rateCounters.endsAt} end`,
      },
    })
    .returning({
      current: rateCounters.count,
      ttl: sql<number>`ceil(extract(epoch from ${rateCounters.endsAt} - now()) * 1000)`.mapWith(Number),
    });
  return row!;
}

export const deleteOldRateCounters = deleteOldRows(rateCounters, rateCounters.key, rateCounters.endsAt);
