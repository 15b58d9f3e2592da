import { eq, sql } from 'drizzle-orm';
import { dayOf, dayWords } from '#contract/calendar.ts';
import type { Content } from '#contract/content.ts';
import { isRunning } from '#contract/promotion-days.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { readContent } from '../content/content.ts';
import { promotionCounts } from './promotions.sql.ts';

/** What a running code takes off. */
export interface Promotion {
  /** As the owner spells it. */
  code: string;
  percent: number;
  /** How many checkouts may use it; undefined: any number. */
  usageCap: number | undefined;
}

/** Codes are compared trimmed and in upper case. */
const keyOf = (code: string) => code.trim().toUpperCase();

/** The promotion behind a code today, by the shop's calendar; refuses an unknown, an early or an expired one. */
export async function promotionOf({ db, clock }: { db: Db; clock: Clock }, code: string): Promise<Promotion> {
  const today = dayOf(clock.now());
  const promos = (await readContent(db, 'promos')).filter((it) => isCode(it) && keyOf(it.discountCode) === keyOf(code));
  const running = promos.filter(isCode).find((it) => isRunning(it, today));
  if (running) {
    const { discountCode, discountPercent, usageCap } = running;
    return { code: discountCode.trim(), percent: discountPercent, usageCap };
  }
  const [next] = promos
    .map((it) => it.startDate)
    .filter((day) => day > today)
    .toSorted();
  if (next !== undefined) throw new Refusal('promo-code-too-early', { day: dayWords(next.slice(0, 10)) });
  const last = promos
    .map((it) => it.endDate)
    .toSorted()
    .at(-1);
  if (last !== undefined) throw new Refusal('promo-code-expired', { day: dayWords(last.slice(0, 10)) });
  throw new Refusal('promo-code-unknown');
}

type Promo = Content<'promos'>[number];
type CodePromo = Promo & { discountCode: string; discountPercent: number };
const isCode = (promo: Promo): promo is CodePromo =>
  (promo.discountCode?.trim() ?? '') !== '' && (promo.discountPercent ?? 0) > 0;

/** The least a card can be charged. */
const leastChargeCents = 50;

/** A percentage of the merchandise in whole cents, half up; so much is left that a card can be charged. */
export function discountOf(subtotalCents: number, { percent }: Pick<Promotion, 'percent'>): number {
  const hundredths = Math.round(percent * 100); // from here on in integers: 0.5 cents are 0.5 cents
  const discountCents = Math.floor((subtotalCents * hundredths + 5_000) / 10_000);
  return Math.min(discountCents, subtotalCents - leastChargeCents);
}

/** Uses of a code that payments hold or have spent. */
export async function usesOf(db: Db, code: string): Promise<number> {
  const [count] = await db
    .select()
    .from(promotionCounts)
    .where(eq(promotionCounts.code, keyOf(code)));
  return count?.used ?? 0;
}

/** Of every code that was ever used. */
export const usesByCode = (db: Db): Promise<{ code: string; used: number }[]> => db.select().from(promotionCounts);

/** One use more, in one guarded step, whoever else is at it; false when the cap is reached. */
export async function countUse(tx: Db, { code, usageCap }: Omit<Promotion, 'percent'>): Promise<boolean> {
  const counted = await tx
    .insert(promotionCounts)
    .values({ code: keyOf(code), used: 1 })
    .onConflictDoUpdate({
      target: promotionCounts.code,
      set: { used: sql`${promotionCounts.used} + 1` },
      ...(usageCap !== undefined && { setWhere: sql`${promotionCounts.used} < ${usageCap}` }),
    })
    .returning({ used: promotionCounts.used });
  return counted.length > 0;
}

export async function uncountUse(tx: Db, code: string): Promise<void> {
  await tx
    .update(promotionCounts)
    .set({ used: sql`${promotionCounts.used} - 1` })
    .where(eq(promotionCounts.code, keyOf(code)));
}
