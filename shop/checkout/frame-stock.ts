import { and, eq, gt } from 'drizzle-orm';
import { kinframe, type CartProduct } from '#contract/catalog.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { claimGiftCards, releaseGiftCards } from '../gift-cards/spending.ts';
import { readFramesLeft, putFramesBack, takeFrames, takeSoldFrames } from '../stock/stock.ts';
import { carts, type FrozenCart } from './checkout.sql.ts';
import { claimPromotionUse, releasePromotionUse } from './promotion-uses.ts';

interface RequestedFrames {
  productId: CartProduct;
  quantity: number;
}

/**
 * Refuses a cart with more frames than are left. Returns whether the payment must be captured only after
 * `reserveCartItems`, because frames are counted. Reserves nothing: the frames go to the buyer who pays first
 * (docs/decisions/0110-frame-stock.md).
 */
export async function checkStock(
  db: Db,
  { productId, quantity }: RequestedFrames,
  checkoutId: string,
): Promise<boolean> {
  if (productId !== kinframe) return false;
  const framesLeft = await readFramesLeft(db);
  if (framesLeft === null) return false;
  // An earlier cart of this browser may hold the frames, because its payment is being captured. Its end decides.
  if (framesLeft < quantity && !(await hasReservedFrames(db, checkoutId))) throw tooFewFramesRefusal(framesLeft);
  return true;
}

const hasReservedFrames = async (db: Db, checkoutId: string): Promise<boolean> =>
  (await db.$count(carts, and(eq(carts.checkoutId, checkoutId), gt(carts.framesHeld, 0)))) > 0;

const tooFewFramesRefusal = (left: number) =>
  left > 0 ? new Refusal('too-few-frames', { left: String(left) }) : new Refusal('sold-out');

/**
 * Reserves what is limited before the card is charged: a use of the cart's promo code, the money on its gift cards, and
 * its frames. A repeated call takes nothing more. Returns false if something is no longer available.
 */
export async function reserveCartItems(tx: Db, clock: Clock, cartId: string): Promise<boolean> {
  if (!(await claimPromotionUse(tx, clock, cartId))) return false;
  const [cart] = await tx.select().from(carts).where(eq(carts.id, cartId));
  if (cart && cart.giftCardCents > 0 && !(await claimGiftCards(tx, cartId))) {
    await releasePromotionUse(tx, cartId);
    return false;
  }
  if (!cart || cart.productId !== kinframe || cart.framesHeld > 0) return cart !== undefined;
  const takenFrames = await takeFrames(tx, cart.quantity);
  if (takenFrames === undefined) {
    await releasePromotionUse(tx, cartId);
    await releaseGiftCards(tx, cartId);
    return false;
  }
  if (takenFrames > 0) await tx.update(carts).set({ framesHeld: takenFrames }).where(eq(carts.id, cartId));
  return true;
}

/** Releases what `reserveCartItems` has reserved, if the cart was not paid. A second call changes nothing. */
export async function releaseCartItems(tx: Db, cartId: string): Promise<void> {
  await releasePromotionUse(tx, cartId);
  await releaseGiftCards(tx, cartId);
  const heldFrames = await endReservation(tx, cartId);
  if (heldFrames > 0) await putFramesBack(tx, heldFrames);
}

/**
 * Takes the frames of a paid cart from the stock, unless they were taken before the card was charged. The caller calls
 * it last in its transaction, because all payments for frames lock the stock.
 */
export async function takePaidFrames(tx: Db, { id, productId, quantity }: FrozenCart): Promise<void> {
  if (productId !== kinframe) return;
  if ((await endReservation(tx, id)) === 0) await takeSoldFrames(tx, quantity);
}

/** Ends the reservation of a cart. Returns the number of frames that it held. */
async function endReservation(tx: Db, cartId: string): Promise<number> {
  const [cart] = await tx
    .select({ framesHeld: carts.framesHeld })
    .from(carts)
    .where(and(eq(carts.id, cartId), gt(carts.framesHeld, 0)))
    .for('no key update');
  if (!cart) return 0;
  await tx.update(carts).set({ framesHeld: 0 }).where(eq(carts.id, cartId));
  return cart.framesHeld;
}

/** How many frames are left for an unpaid cart that asks for more; undefined if there are enough. */
export async function findFrameShortage(db: Db, { productId, quantity, framesHeld }: FrozenCart) {
  if (productId !== kinframe || framesHeld > 0) return undefined;
  const framesLeft = await readFramesLeft(db);
  return framesLeft !== null && framesLeft < quantity ? Math.max(0, framesLeft) : undefined;
}
