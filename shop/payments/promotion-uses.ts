import { and, eq, inArray, sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports.ts';
import { countUse, uncountUse, usesOf, type Promotion } from '../promotions/promotions.ts';
import { payments } from './payments.sql.ts';

/** Refuses a code with nothing left of it, but not to the checkout that holds one of its uses. */
export async function refuseUsedUp(db: Db, { code, usageCap }: Promotion, checkoutId: string | undefined) {
  if (usageCap === undefined || (await usesOf(db, code)) < usageCap) return;
  const held =
    checkoutId === undefined ? [] : await db.select().from(payments).where(heldBy(checkoutId, code)).limit(1);
  if (held.length === 0) throw new Refusal('promo-code-used-up');
}

/**
 * Count one use of a code for this checkout: the one its earlier payment holds is passed on, else a new one is claimed,
 * within the cap. The checkout's row is held until the transaction ends, so that two carts of one browser, priced at
 * the same moment, take one use. Refuses when the code is used up.
 */
export async function claimUse(tx: Db, promotion: Promotion, checkoutId: string): Promise<void> {
  await tx.execute(sql`select from checkouts where id = ${checkoutId} for no key update`);
  const passedOn = await tx
    .update(payments)
    .set({ holdsPromotion: false })
    .where(heldBy(checkoutId, promotion.code))
    .returning({ id: payments.id });
  if (passedOn.length > 0) return;
  if (!(await countUse(tx, promotion))) throw new Refusal('promo-code-used-up');
}

const heldBy = (checkoutId: string, code: string) =>
  and(
    eq(payments.checkoutId, checkoutId),
    eq(payments.holdsPromotion, true),
    inArray(payments.state, ['asking', 'open']),
    eq(payments.promoCode, code),
  );

/** What is paid is kept: a payment whose use had been given back counts again, past the cap if need be. */
export async function countPaidUse(tx: Db, paymentId: string): Promise<void> {
  const code = await setHolding(tx, paymentId, true);
  if (code) await countUse(tx, { code, usageCap: undefined });
}

/** A payment that makes no order lets go of its use, once. */
export async function giveBackUse(tx: Db, paymentId: string): Promise<void> {
  const code = await setHolding(tx, paymentId, false);
  if (code) await uncountUse(tx, code);
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
