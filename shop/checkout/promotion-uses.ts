import { and, eq, gt, ne, or } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { findOrderOfCheckout } from '../orders/orders.ts';
import {
  addPromotionHold,
  countPromotionUse,
  endPromotionHold,
  countActivePromotionHolds,
  lockPromotionUses,
  subtractPromotionUse,
  readUsageCap,
  countPromotionUses,
  type CodeUser,
  type Promotion,
} from '../promotions/promotions.ts';
import { lockCheckout } from './carts.ts';
import { carts, type FrozenCart } from './checkout.sql.ts';

interface Scope {
  db: Db;
  clock: Clock;
}

/**
 * Reserves a use of a promo code with a limit. A use is counted when its payment is authorized. Before that, a browser
 * or its network can reserve one use for ten minutes, once a day. After the ten minutes, the last use goes to the buyer
 * who pays first (docs/decisions/0025-promotion-codes.md).
 */
export async function reservePromotionUse(
  tx: Db,
  clock: Clock,
  promotion: Promotion,
  codeUser: { checkoutId: string; address: string },
): Promise<void> {
  if (promotion.usageCap === undefined) return;
  const promotionUses = await lockPromotionUses(tx, promotion.code);
  await refuseUsedUp({ db: tx, clock }, promotion, promotionUses, codeUser);
  await addPromotionHold(tx, clock, promotion.code, codeUser);
}

/** Refuses a promo code that has no use left for this browser now. */
export async function refuseUsedUpPromotion(scope: Scope, promotion: Promotion, codeUser: CodeUser): Promise<void> {
  if (promotion.usageCap !== undefined)
    await refuseUsedUp(scope, promotion, await countPromotionUses(scope.db, promotion.code), codeUser);
}

async function refuseUsedUp(scope: Scope, { code, usageCap = Infinity }: Promotion, used: number, codeUser: CodeUser) {
  const earlierUses =
    codeUser.checkoutId === undefined ? [] : await countUsesOfCarts(scope.db, codeUser.checkoutId, code);
  // The payment of this browser's earlier cart is being captured, or an earlier release has already counted its use.
  if (earlierUses.includes('held')) return;
  if (used >= usageCap) throw new Refusal('promo-code-used-up');
  if (earlierUses.length > 0) return; // this browser has used the code in an earlier cart, so it needs no new reservation
  const activeHoldCount = await countActivePromotionHolds(scope, code, codeUser);
  if (!activeHoldCount.isOneHere && used + activeHoldCount.count >= usageCap) throw new Refusal('promo-code-used-up');
}

type PromotionUse = FrozenCart['promotionUse'];
async function countUsesOfCarts(db: Db, checkoutId: string, code: string): Promise<PromotionUse[]> {
  const rows = await db
    .select({ use: carts.promotionUse })
    .from(carts)
    .where(and(eq(carts.checkoutId, checkoutId), eq(carts.promoCode, code)));
  return rows.map((it) => it.use);
}

/**
 * Takes one use of the promo code of a cart. Called after the bank has authorized the payment and before the card is
 * charged. Returns false if the code is used up, or if the browser has paid for another cart of this checkout in the
 * meantime.
 */
export async function claimPromotionUse(tx: Db, clock: Clock, cartId: string): Promise<boolean> {
  const [cart] = await tx.select().from(carts).where(eq(carts.id, cartId));
  if (!cart) return false;
  const { checkoutId, promoCode } = cart;
  await lockCheckout(tx, checkoutId);
  if (await isPaidByAnother(tx, cart)) return false;
  // No promo code, or its last use is taken.
  if (promoCode === null || !(await changeUseState(tx, cartId, 'none', 'held'))) return true;
  if (!(await countPromotionUse(tx, { code: promoCode, usageCap: await readUsageCap({ db: tx, clock }, promoCode) }))) {
    await changeUseState(tx, cartId, 'held', 'none');
    return false;
  }
  await endPromotionHold(tx, clock, checkoutId, promoCode);
  return true;
}

async function isPaidByAnother(tx: Db, { id, checkoutId, promotionUse }: FrozenCart): Promise<boolean> {
  const [other] = await tx
    .select({ id: carts.id })
    .from(carts)
    .where(
      and(
        eq(carts.checkoutId, checkoutId),
        ne(carts.id, id),
        or(ne(carts.promotionUse, 'none'), gt(carts.framesHeld, 0)),
      ),
    )
    .limit(1);
  return other !== undefined || (promotionUse !== 'spent' && (await findOrderOfCheckout(tx, checkoutId)) !== undefined);
}

/**
 * Counts the use of the promo code of a paid cart. A payment without a separate capture is counted only here, even
 * beyond the limit of uses, because a paid order is always kept.
 */
export async function recordPromotionUse(
  tx: Db,
  clock: Clock,
  cart: Pick<FrozenCart, 'id' | 'checkoutId'>,
): Promise<void> {
  if (await changeUseState(tx, cart.id, 'held', 'spent')) return;
  const isSpent = await changeUseState(tx, cart.id, 'none', 'spent');
  if (!isSpent) return;
  await countPromotionUse(tx, { code: isSpent.code!, usageCap: undefined });
  await endPromotionHold(tx, clock, cart.checkoutId, isSpent.code!);
}

/** Frees the use of a promo code that a cart had taken, if the cart was not paid. A second call changes nothing. */
export async function releasePromotionUse(tx: Db, cartId: string): Promise<void> {
  const freedUse = await changeUseState(tx, cartId, 'held', 'none');
  if (freedUse) await subtractPromotionUse(tx, freedUse.code!);
}

/** Returns the promo code and the discount that an unpaid cart has lost, because other buyers have used up the code. */
export async function findLostDiscount(
  scope: Scope,
  cart: FrozenCart,
): Promise<{ code: string; cents: number } | undefined> {
  const { promoCode: code, promotionUse, discountCents: cents } = cart;
  if (code === null || promotionUse !== 'none') return undefined;
  const usageCap = await readUsageCap(scope, code);
  return usageCap !== undefined && (await countPromotionUses(scope.db, code)) >= usageCap ? { code, cents } : undefined;
}

async function changeUseState(
  tx: Db,
  cartId: string,
  from: PromotionUse,
  to: PromotionUse,
): Promise<{ code: string | null } | undefined> {
  const [moved] = await tx
    .update(carts)
    .set({ promotionUse: to })
    .where(and(eq(carts.id, cartId), eq(carts.promotionUse, from)))
    .returning({ code: carts.promoCode });
  return moved;
}
