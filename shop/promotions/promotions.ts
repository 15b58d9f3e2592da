import { and, eq, gt, sql } from 'drizzle-orm';
import { toShopDay, dayText } from '#contract/calendar.ts';
import { leastChargeCents } from '#contract/catalog.ts';
import type { Content } from '#contract/content.ts';
import { lifetimes } from '#contract/limits.ts';
import { isPromotionRunning } from '#contract/promotion-days.ts';
import { Refusal } from '#contract/refusals.ts';
import { tidyCode } from '#contract/tidy.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { readContent } from '../content/content.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { toNetworkPrefix } from '../networks.ts';
import { hashToken } from '../tokens/tokens.ts';
import { promotionCounts, promotionHolds } from './promotions.sql.ts';

/** A promotion that is running today. */
export interface Promotion {
  /** The code as the owner spells it. */
  code: string;
  percent: number;
  /** How many payments may use the code; undefined means any number. */
  usageCap: number | undefined;
}

/** The key under which uses are counted. It must stay the same, because rows of earlier releases contain it. */
const normalizeCode = (code: string) => code.trim().toUpperCase();

/**
 * Returns the promotion of a code that is running today, in the shop's calendar. Refuses an unknown, early or expired
 * code.
 */
export async function readPromotion({ db, clock }: { db: Db; clock: Clock }, code: string): Promise<Promotion> {
  const today = toShopDay(clock.now());
  const promos = (await readContent(db, 'promos')).filter((it) => hasCode(it) && isSameCode(it.discountCode, code));
  const runningPromo = promos.filter(hasCode).find((it) => isPromotionRunning(it, today));
  if (runningPromo) {
    const { discountCode, discountPercent, usageCap } = runningPromo;
    return { code: discountCode.trim(), percent: discountPercent, usageCap };
  }
  const [next] = promos
    .map((it) => it.startDate)
    .filter((day) => day > today)
    .toSorted();
  if (next !== undefined) throw new Refusal('promo-code-too-early', { day: dayText(next.slice(0, 10)) });
  const lastEndDay = promos
    .map((it) => it.endDate)
    .toSorted()
    .at(-1);
  if (lastEndDay !== undefined) throw new Refusal('promo-code-expired', { day: dayText(lastEndDay.slice(0, 10)) });
  throw new Refusal('promo-code-unknown');
}

/** The current usage cap of a code; undefined if the number of uses is not limited or the code no longer exists. */
export async function readUsageCap({ db, clock }: { db: Db; clock: Clock }, code: string): Promise<number | undefined> {
  const today = toShopDay(clock.now());
  const promos = (await readContent(db, 'promos')).filter((it) => hasCode(it) && isSameCode(it.discountCode, code));
  return (promos.find((it) => isPromotionRunning(it, today)) ?? promos[0])?.usageCap;
}

/** Ignores case, spaces and invisible characters, because customers may type a code differently from the owner. */
const isSameCode = (a: string, b: string) => tidyCode(a).toUpperCase() === tidyCode(b).toUpperCase();

type Promo = Content<'promos'>[number];
type CodePromo = Promo & { discountCode: string; discountPercent: number };
const hasCode = (promo: Promo): promo is CodePromo =>
  tidyCode(promo.discountCode ?? '') !== '' && (promo.discountPercent ?? 0) > 0;

/**
 * Returns the discount: a percentage of the merchandise in whole cents, rounded half up. The discount is limited so
 * that at least the smallest chargeable amount remains to pay.
 */
export function computeDiscountCents(subtotalCents: number, { percent }: Pick<Promotion, 'percent'>): number {
  const hundredths = Math.round(percent * 100); // integers from here on, so that half cents are exact
  const discountCents = Math.floor((subtotalCents * hundredths + 5_000) / 10_000);
  return Math.min(discountCents, subtotalCents - leastChargeCents);
}

/** The number of payments that have used a code. */
export async function countPromotionUses(db: Db, code: string): Promise<number> {
  const [count] = await db
    .select()
    .from(promotionCounts)
    .where(eq(promotionCounts.code, normalizeCode(code)));
  return count?.used ?? 0;
}

/**
 * Returns the number of payments that have used a code, and locks the code until the transaction ends. Other requests
 * and payments with the code wait.
 */
export async function lockPromotionUses(tx: Db, code: string): Promise<number> {
  const [count] = await tx
    .insert(promotionCounts)
    .values({ code: normalizeCode(code), used: 0 })
    .onConflictDoUpdate({ target: promotionCounts.code, set: { used: sql`${promotionCounts.used}` } })
    .returning({ used: promotionCounts.used });
  return count!.used;
}

/** A browser at the checkout, and its network address. */
export interface CodeUser {
  /** Undefined if the browser has no checkout yet. */
  checkoutId: string | undefined;
  address: string;
}

/**
 * The number of reservations of this code that have not ended, and whether one of them belongs to this browser or
 * network.
 */
export async function countActivePromotionHolds(
  { db, clock }: { db: Db; clock: Clock },
  code: string,
  { checkoutId, address }: CodeUser,
): Promise<{ count: number; isOneHere: boolean }> {
  const activeHolds = await db
    .select({ checkoutId: promotionHolds.checkoutId, networkHash: promotionHolds.networkHash })
    .from(promotionHolds)
    .where(and(eq(promotionHolds.code, normalizeCode(code)), gt(promotionHolds.endsAt, clock.now())));
  const networkHash = networkHashOf(code, address);
  const isOneHere = activeHolds.some((it) => it.checkoutId === checkoutId || it.networkHash === networkHash);
  return { count: activeHolds.length, isOneHere };
}

const networkHashOf = (code: string, address: string) =>
  hashToken(`${normalizeCode(code)} ${toNetworkPrefix(address)}`);

/**
 * Adds a reservation of one use of a code. Does nothing if the browser or its network already had a reservation within
 * the last day.
 */
export async function addPromotionHold(
  tx: Db,
  clock: Clock,
  code: string,
  { checkoutId, address }: { checkoutId: string; address: string },
): Promise<void> {
  const endsAt = new Date(clock.now().getTime() + lifetimes.promotionHoldMinutes * 60_000);
  await tx
    .insert(promotionHolds)
    .values({ code: normalizeCode(code), checkoutId, networkHash: networkHashOf(code, address), endsAt })
    .onConflictDoNothing();
}

/** Ends a browser's reservation after a payment has used the code, or after the reservation is no longer needed. */
export async function endPromotionHold(tx: Db, clock: Clock, checkoutId: string, code: string): Promise<void> {
  const now = clock.now();
  const isLive = gt(promotionHolds.endsAt, now);
  await tx
    .update(promotionHolds)
    .set({ endsAt: now })
    .where(and(eq(promotionHolds.code, normalizeCode(code)), eq(promotionHolds.checkoutId, checkoutId), isLive));
}

export const deleteOldPromotionHolds = deleteOldRows(promotionHolds, promotionHolds.networkHash, promotionHolds.endsAt);

/** The number of uses of every code that was ever used. */
export const readUsesByCode = (db: Db): Promise<{ code: string; used: number }[]> =>
  db.select().from(promotionCounts).where(gt(promotionCounts.used, 0));

/**
 * Counts one more use of a code. A single statement checks the cap and counts, so that concurrent calls never exceed
 * the cap. Returns false if the cap is reached.
 */
export async function countPromotionUse(tx: Db, { code, usageCap }: Omit<Promotion, 'percent'>): Promise<boolean> {
  const countedRows = await tx
    .insert(promotionCounts)
    .values({ code: normalizeCode(code), used: 1 })
    .onConflictDoUpdate({
      target: promotionCounts.code,
      set: { used: sql`${promotionCounts.used} + 1` },
      ...(usageCap !== undefined && { setWhere: sql`${promotionCounts.used} < ${usageCap}` }),
    })
    .returning({ used: promotionCounts.used });
  return countedRows.length > 0;
}

export async function subtractPromotionUse(tx: Db, code: string): Promise<void> {
  await tx
    .update(promotionCounts)
    .set({ used: sql`${promotionCounts.used} - 1` })
    .where(eq(promotionCounts.code, normalizeCode(code)));
}
