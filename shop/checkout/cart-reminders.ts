import { and, eq, isNull } from 'drizzle-orm';
import { taxBasisText } from '#contract/amount-text.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { priceCart, readCart } from '../catalog/catalog.ts';
import { newId } from '../columns.ts';
import { queueMail } from '../mail/mail.ts';
import { findPayablePayments, type PaymentScope } from '../payments/payments.ts';
import { settleIntentById } from '../payments/settle.ts';
import { computeDiscountCents, readPromotion, countPromotionUses } from '../promotions/promotions.ts';
import { hashToken } from '../tokens/tokens.ts';
import { cartReminders } from './cart-reminders.sql.ts';
import { lockEmailHashes } from './cart-reminder-ends.ts';
import { lockCartReminderSetting, readCartReminderSetting } from './cart-reminder-setting.ts';
import { findCartById, findCartIdsOf, type FrozenCart } from './carts.ts';
import { findDueCarts, type CartToRemind } from './due-carts.ts';

const mostPerRun = 500;

export interface RemindSweep {
  /** Aborted when this worker no longer owns the job. */
  signal?: AbortSignal;
  onError: (error: unknown) => void;
}

/**
 * The job that runs every few minutes. It reminds buyers of a cart that they left at the payment: once after two hours,
 * and once more after two days. What is true when the email is queued decides, and not what was true when the buyer
 * left.
 */
export async function remindOfCarts(scope: PaymentScope, { signal, onError }: RemindSweep): Promise<void> {
  const { db, clock } = scope;
  const setting = await readCartReminderSetting(scope);
  if (!setting.isOn) return;
  for (const dueCart of await findDueCarts(db, { now: clock.now(), since: setting.since, limit: mostPerRun })) {
    if (signal?.aborted) return;
    await remindUnlessPaid(scope, dueCart).catch(onError); // an error of one cart does not stop the others
  }
}

async function remindUnlessPaid(scope: PaymentScope, due: CartToRemind): Promise<void> {
  if (await isBeingPaid(scope, due.checkoutId)) return;
  await scope.db.transaction((tx) => sendReminder(tx, scope, due.email));
}

/**
 * Whether a payment of this checkout is paid, or the bank has not decided yet. The shop may not know it, because the
 * buyer's browser and the webhook can fail. A paid payment becomes its order here.
 */
async function isBeingPaid(scope: PaymentScope, checkoutId: string): Promise<boolean> {
  const openPayments = await findPayablePayments(scope.db, 'order', await findCartIdsOf(scope.db, checkoutId));
  for (const { intentId } of openPayments) {
    if (intentId === null) continue; // without an intent, no browser can pay this payment
    const settlement = await settleIntentById(scope, intentId).catch((error: unknown) => {
      // The provider does not know the intent, so it cannot be paid.
      if (error instanceof Refusal && error.code === 'payment-not-found') return undefined;
      throw error;
    });
    if (settlement && settlement.state !== 'unpaid') return true;
  }
  return false;
}

/**
 * Queues the email that is due to this address, if one still is. The lock makes this transaction wait for a purchase,
 * an erasure or another run with the same address, and the query then sees what they have changed.
 */
async function sendReminder(tx: Db, scope: PaymentScope, email: string): Promise<void> {
  const { clock, jobs } = scope;
  const setting = await lockCartReminderSetting(tx);
  if (!setting?.isOn) return;
  const emailHash = hashToken(email);
  await lockEmailHashes(tx, [emailHash]);
  const now = clock.now();
  const [due] = await findDueCarts(tx, { now, since: setting.since, email, limit: 1 });
  const cart = due && (await findCartById(tx, due.cartId));
  const details = cart?.details;
  const amounts = cart && (await calculateAmounts({ db: tx, clock }, cart));
  if (!details || !amounts) return;
  const id = due.reminderId ?? newId();
  if (due.reminderId === null)
    await tx.insert(cartReminders).values({ id, cartId: cart.id, emailHash, leftAt: due.leftAt, firstSentAt: now });
  else {
    const secondReminder = await tx
      .update(cartReminders)
      .set({ cartId: cart.id, secondSentAt: now })
      .where(and(eq(cartReminders.id, id), isNull(cartReminders.secondSentAt), isNull(cartReminders.boughtAt)))
      .returning({ id: cartReminders.id });
    if (secondReminder.length === 0) return;
  }
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: `cart-reminder:${id}:${due.reminderId === null ? 1 : 2}`,
      to: email,
      content: {
        kind: 'cart-reminder',
        firstName: details.firstName,
        isLast: due.reminderId !== null,
        ...amounts,
        isShipped: cart.productId !== 'byof',
        isGift: details.gift !== undefined,
        checkoutUrl: { link: 'cart', subjectId: id },
        unsubscribeUrl: { link: 'cart-unsubscribe', subjectId: id },
      },
    },
  );
}

/**
 * The amounts of a cart at the current prices and with the discount that its promo code still gives. Undefined if its
 * product is no longer sold. The tax is included only if it was calculated for these amounts.
 */
async function calculateAmounts(scope: Pick<PaymentScope, 'db' | 'clock'>, cart: FrozenCart) {
  const cartPrice = priceFrozenCart(cart);
  if (!cartPrice) return undefined;
  const { lines, subtotalCents } = cartPrice;
  const discountCents = cart.promoCode === null ? 0 : await findDiscount(scope, cart.promoCode, subtotalCents);
  const amounts = {
    lines: lines.map(({ label, quantity, amountCents }) => ({ label, quantity, amountCents })),
    subtotalCents,
    discountCents,
    ...(discountCents > 0 && { discountLabel: cart.promoCode! }),
  };
  const netCents = subtotalCents - discountCents;
  const isUnchangedPrice = subtotalCents === cart.subtotalCents && discountCents === cart.discountCents;
  if (!isUnchangedPrice && cart.taxCalculationId !== null) return { ...amounts, totalCents: netCents };
  const taxLabel = taxBasisText(cart);
  return { ...amounts, taxCents: cart.taxCents, ...(taxLabel && { taxLabel }), totalCents: netCents + cart.taxCents };
}

function priceFrozenCart(cart: FrozenCart) {
  try {
    return priceCart(readCart(cart));
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function findDiscount(scope: Pick<PaymentScope, 'db' | 'clock'>, code: string, subtotalCents: number) {
  try {
    const promotion = await readPromotion(scope, code);
    const { usageCap = Infinity } = promotion;
    return (await countPromotionUses(scope.db, code)) < usageCap ? computeDiscountCents(subtotalCents, promotion) : 0;
  } catch (error) {
    if (error instanceof Refusal) return 0; // the promo code has ended
    throw error;
  }
}
