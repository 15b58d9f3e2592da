import { and, eq } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { countUse, uncountUse, usesOf, type Promotion } from '../promotions/promotions.ts';
import { carts, type FrozenCart } from './checkout.sql.ts';

/** Refuses a code with nothing left of it, but not to the checkout that holds one of its uses. */
export async function refuseUsedUp(db: Db, { code, usageCap }: Promotion, checkoutId: string | undefined) {
  if (usageCap === undefined || (await usesOf(db, code)) < usageCap) return;
  const held =
    checkoutId === undefined
      ? []
      : await db.select({ id: carts.id }).from(carts).where(heldBy(checkoutId, code)).limit(1);
  if (held.length === 0) throw new Refusal('promo-code-used-up');
}

/**
 * Count one use of a code for this checkout: the one its earlier cart holds is passed on, else a new one is claimed,
 * within the cap. The caller holds the checkout, so that two carts of one browser, priced at the same moment, take one
 * use. Refuses when the code is used up.
 */
export async function claimUse(tx: Db, promotion: Promotion, checkoutId: string): Promise<void> {
  const passedOn = await tx
    .update(carts)
    .set({ promotionUse: 'none' })
    .where(heldBy(checkoutId, promotion.code))
    .returning({ id: carts.id });
  if (passedOn.length > 0) return;
  if (!(await countUse(tx, promotion))) throw new Refusal('promo-code-used-up');
}

const heldBy = (checkoutId: string, code: string) =>
  and(eq(carts.checkoutId, checkoutId), eq(carts.promotionUse, 'held'), eq(carts.promoCode, code));

/** What is paid is kept: a cart whose use had been given back counts again, past the cap if need be. */
export async function spendUse(tx: Db, cartId: string): Promise<void> {
  if (await moveUse(tx, cartId, 'held', 'spent')) return;
  const spent = await moveUse(tx, cartId, 'none', 'spent');
  if (spent) await countUse(tx, { code: spent.code!, usageCap: undefined });
}

/** A cart that nobody pays for lets go of its use, once. */
export async function giveBackUse(tx: Db, cartId: string): Promise<void> {
  const freed = await moveUse(tx, cartId, 'held', 'none');
  if (freed) await uncountUse(tx, freed.code!);
}

type Use = FrozenCart['promotionUse'];
async function moveUse(tx: Db, cartId: string, from: Use, to: Use): Promise<{ code: string | null } | undefined> {
  const [moved] = await tx
    .update(carts)
    .set({ promotionUse: to })
    .where(and(eq(carts.id, cartId), eq(carts.promotionUse, from)))
    .returning({ code: carts.promoCode });
  return moved;
}
