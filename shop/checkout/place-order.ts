import { dayText } from '#contract/calendar.ts';
import { productTypeOf } from '#contract/catalog.ts';
import { tidyEmail } from '#contract/tidy.ts';
import type { Db } from '../ports/database.ts';
import type { Customer } from '../accounts/accounts.ts';
import { lockCustomer } from '../accounts/lock-customer.ts';
import { provenAccountOf } from '../accounts/proven-account.ts';
import { lockAndFindProvenAccountId } from '../accounts/proven-email.ts';
import { claimGiftCards, recordGiftCardsSpent } from '../gift-cards/spending.ts';
import { createFrames } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import {
  assignGuestOrder,
  findOrderOfCheckout,
  createOrderPlacer,
  recordOrderEvent,
  type Order,
} from '../orders/orders.ts';
import type { Payment } from '../payments/payments.ts';
import type { Payer, PlacingScope, PaymentPurpose } from '../payments/purpose.ts';
import { toInternationalPhone } from '../phone-number.ts';
import { createReadableNumber } from '../readable-number.ts';
import { findPhoneOrderOfCheckout } from './phone-orders.ts';
import { endRemindersOfBuyer } from './cart-reminder-ends.ts';
import { findCartById, deleteBuyerDetails, type FrozenCart } from './carts.ts';
import { reserveCartItems, releaseCartItems, takePaidFrames } from './frame-stock.ts';
import { recordPromotionUse } from './promotion-uses.ts';
import { mailReceipt } from './receipt.ts';

/**
 * Fulfills the payment of a checkout: the cart becomes an order with frames, and the buyer and the owner each get an
 * email.
 */
export const orderPurpose: PaymentPurpose = {
  place: placePaidOrder,
  async reserveLimited(tx, clock, cartId) {
    // The account is locked before gift cards and stock. A $0 payment is placed in the same transaction.
    const cart = await findCartById(tx, cartId);
    if (cart?.customerId) await lockCustomer(tx, cart.customerId);
    return reserveCartItems(tx, clock, cartId);
  },
  release: (tx, _clock, cartId) => releaseCartItems(tx, cartId),
  deleteBuyerDetails,
  notifyGivenBack,
};

/** A guest's order goes to the proven account with its email, if there is one. */
const placeCartOrder = createOrderPlacer(provenAccountOf);

async function placePaidOrder(tx: Db, scope: PlacingScope, payment: Payment, payer: Payer): Promise<boolean> {
  const { clock } = scope;
  const cart = (await findCartById(tx, payment.purposeId))!;
  const signedInCustomer = cart.customerId === null ? undefined : await lockCustomer(tx, cart.customerId);
  // Usually, the gift cards paid before the card was charged. If they did not and their balance is too low now, the
  // payment is refunded.
  if (cart.giftCardCents > 0 && !(await claimGiftCards(tx, cart.id))) return false;
  const phoneOrder = await findPhoneOrderOfCheckout(tx, cart.checkoutId);
  const order = await placeCartOrder(tx, clock, {
    orderNumber: createReadableNumber('KF'),
    customerId: signedInCustomer?.id ?? null,
    ...combineBuyerDetails(cart, signedInCustomer, payer),
    productType: productTypeOf(cart),
    quantity: cart.quantity,
    extraPackages: cart.extraPackages,
    lines: cart.lines,
    subtotalCents: cart.subtotalCents,
    discountCents: cart.discountCents,
    promoCode: cart.promoCode,
    taxCents: cart.taxCents,
    taxRate: cart.taxRate,
    taxJurisdiction: cart.taxJurisdiction,
    totalCents: cart.totalCents,
    giftCardCents: cart.giftCardCents,
    checkoutId: cart.checkoutId,
    paymentId: payment.id,
    stripePaymentIntentId: payment.intentId!,
    ...(phoneOrder && { notes: phoneOrder.note }),
  });
  if (!order) return false;
  if (cart.giftCardCents > 0) await recordGiftCardsSpent(tx, cart.id, order.id);
  if (phoneOrder) {
    const text = `Ordered by phone on ${dayText(phoneOrder.createdAt)}, and paid with the payment link.`;
    await recordOrderEvent(tx, clock, order.id, 'phone', text);
  }
  if (cart.promoCode !== null) await recordPromotionUse(tx, clock, cart);
  await createFrames(tx, clock, order.id, cart);
  await mailReceipt(tx, scope, { ...order, customerId: order.customerId ?? (await assignToProvenAccount(tx, order)) });
  await takePaidFrames(tx, cart);
  await endRemindersOfBuyer(tx, clock, order);
  return true;
}

/**
 * Gives a guest's order to the account that proved the order's email address while the order was being placed. Returns
 * the id of this account, or null if there is none.
 */
async function assignToProvenAccount(tx: Db, { id, email }: Order): Promise<string | null> {
  const account = email === '' ? undefined : await lockAndFindProvenAccountId(tx, email);
  if (account !== undefined) await assignGuestOrder(tx, id, account);
  return account ?? null;
}

/**
 * Returns the buyer's details. Each value comes from the cart, otherwise from the account that paid, otherwise from the
 * cardholder's details at the provider.
 */
function combineBuyerDetails({ details }: FrozenCart, account: Customer | undefined, payer: Payer) {
  const [firstName = '', ...rest] = (payer.name ?? '').trim().split(/\s+/);
  return {
    email: details?.email ?? account?.email ?? tidyEmail(payer.email ?? ''),
    firstName: details?.firstName ?? account?.firstName ?? firstName,
    lastName: details?.lastName ?? account?.lastName ?? rest.join(' '),
    phone: details?.phone || null,
    phoneE164: toInternationalPhone(details?.phone),
    shippingAddress: details?.address ?? null,
    gift: details?.gift ?? null,
  };
}

/** Returns the order of a payment's checkout. Two payments of one checkout have the same order. */
export async function findOrderOfPayment(db: Db, payment: Payment): Promise<Order | undefined> {
  const cart = await findCartById(db, payment.purposeId);
  return cart && findOrderOfCheckout(db, cart.checkoutId);
}

async function notifyGivenBack(
  tx: Db,
  { jobs, clock, link, ownersMailbox }: PlacingScope,
  payment: Payment,
): Promise<void> {
  const order = await findOrderOfPayment(tx, payment);
  if (!order) return;
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: `second-payment-refunded:${payment.id}`,
      to: ownersMailbox,
      orderId: order.id,
      content: {
        kind: 'owner-second-payment-refunded',
        orderNumber: order.orderNumber,
        customerEmail: order.email,
        amountCents: payment.amountCents,
        adminUrl: link(`/admin?tab=orders&order=${order.id}`),
      },
    },
  );
}
