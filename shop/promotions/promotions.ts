import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Content } from '#contract/content.ts';
import { dayIn, dayInWords, isRunning } from '#contract/promotion-days.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock, Db } from '../ports.ts';
import { readContent } from '../content/content.ts';
import { payments } from '../payments/payments.sql.ts';
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
  const today = dayIn(clock.now().getTime());
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
  if (next !== undefined) throw new Refusal('promo-code-too-early', { day: dayInWords(next) });
  const last = promos
    .map((it) => it.endDate)
    .toSorted()
    .at(-1);
  if (last !== undefined) throw new Refusal('promo-code-expired', { day: dayInWords(last) });
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

/** Refuses a code with nothing left of it, but not to the checkout that holds one of its uses. */
export async function refuseUsedUp(db: Db, { code, usageCap }: Promotion, checkoutId: string | undefined) {
  if (usageCap === undefined) return;
  const [count] = await db
    .select()
    .from(promotionCounts)
    .where(eq(promotionCounts.code, keyOf(code)));
  if ((count?.used ?? 0) < usageCap) return;
  const held =
    checkoutId === undefined ? [] : await db.select().from(payments).where(heldBy(checkoutId, code)).limit(1);
  if (held.length === 0) throw new Refusal('promo-code-used-up');
}

/**
 * Count one use of a code for this checkout: the one its earlier payment holds is passed on, else a new one is claimed,
 * within the cap. The checkout's row is held until the transaction ends, so that two carts of one browser, priced at
 * the same moment, take one use. Refuses when the code is used up.
 */
export async function claimUse(tx: Db, { code, usageCap }: Promotion, checkoutId: string): Promise<void> {
  await tx.execute(sql`select from checkouts where id = ${checkoutId} for no key update`);
  const passedOn = await tx
    .update(payments)
    .set({ holdsPromotion: false })
    .where(heldBy(checkoutId, code))
    .returning({ id: payments.id });
  if (passedOn.length > 0) return;
  if (!(await count(tx, code, usageCap))) throw new Refusal('promo-code-used-up');
}

const heldBy = (checkoutId: string, code: string) =>
  and(
    eq(payments.checkoutId, checkoutId),
    eq(payments.holdsPromotion, true),
    inArray(payments.state, ['asking', 'open']),
    eq(payments.promoCode, code),
  );

/** One guarded step, whoever else is at it; false when the cap is reached. */
async function count(tx: Db, code: string, usageCap: number | undefined): Promise<boolean> {
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

/** What is paid is kept: a payment whose use had been given back counts again, past the cap if need be. */
export async function countPaidUse(tx: Db, paymentId: string): Promise<void> {
  const counting = await setHolding(tx, paymentId, true);
  if (counting) await count(tx, counting, undefined);
}

/** A payment that makes no order lets go of its use, once. */
export async function giveBackUse(tx: Db, paymentId: string): Promise<void> {
  const code = await setHolding(tx, paymentId, false);
  if (!code) return;
  await tx
    .update(promotionCounts)
    .set({ used: sql`${promotionCounts.used} - 1` })
    .where(eq(promotionCounts.code, keyOf(code)));
}

/** Answers the payment's code if this changed anything. */
async function setHolding(tx: Db, paymentId: string, holdsPromotion: boolean): Promise<string | null | undefined> {
  const [changed] = await tx
    .update(payments)
    .set({ holdsPromotion })
    .where(and(eq(payments.id, paymentId), eq(payments.holdsPromotion, !holdsPromotion)))
    .returning({ code: payments.promoCode });
  return changed?.code;
}
