import { productTypeOf } from '#contract/catalog.ts';
import type { Db } from '../ports/database.ts';
import { accountOf, holdCustomer, mailConfirmation, type Customer } from '../accounts/accounts.ts';
import { confirmedAccountOf } from '../accounts/confirmed-account.ts';
import { createFrames } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { orderOfCheckout, orderPlacer, type Order } from '../orders/orders.ts';
import type { Payment } from '../payments/payments.ts';
import type { Payer, PlacingScope, Purpose } from '../payments/purpose.ts';
import { sayableNumber } from '../sayable-number.ts';
import { cartById, forgetBuyers, type FrozenCart } from './carts.ts';
import { giveBackUse, spendUse } from './promotion-uses.ts';
import { mailReceipt } from './receipt.ts';

/** What a checkout's payment is for: the cart becomes an order with its frames, and both sides get their letter. */
export const orderPurpose: Purpose = { place, release: giveBackUse, forget: forgetBuyers, tellGivenBack };

/** A guest's order is given to the account of its e-mail, where that is known to be its owner's. */
const placeOrder = orderPlacer(confirmedAccountOf);

async function place(tx: Db, scope: PlacingScope, payment: Payment, payer: Payer): Promise<boolean> {
  const { clock } = scope;
  const cart = (await cartById(tx, payment.purposeId))!;
  const signedIn = cart.customerId === null ? undefined : await holdCustomer(tx, cart.customerId);
  const order = await placeOrder(tx, clock, {
    orderNumber: sayableNumber('KF'),
    customerId: signedIn?.id ?? null,
    ...buyerOf(cart, signedIn, payer),
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
    checkoutId: cart.checkoutId,
    paymentId: payment.id,
    stripePaymentIntentId: payment.intentId!,
  });
  if (!order) return false;
  if (cart.promoCode !== null) await spendUse(tx, cart.id);
  await createFrames(tx, clock, order.id, cart);
  const account = order.customerId === null ? await accountOf(tx, order.email) : undefined;
  const unconfirmed = account?.emailConfirmedAt === null ? account : undefined;
  await mailReceipt(tx, scope, order, { isAccountUnconfirmed: unconfirmed !== undefined });
  // It gets the order with its confirmation, which is mailed anew: the first one may be long lost.
  if (unconfirmed) await mailConfirmation(tx, scope, unconfirmed, { again: `:${order.id}` });
  return true;
}

/** Who bought: as frozen at checkout, else the account that paid, else as the card's holder told the provider. */
function buyerOf({ details }: FrozenCart, account: Customer | undefined, payer: Payer) {
  const [firstName = '', ...rest] = (payer.name ?? '').trim().split(/\s+/);
  return {
    email: details?.email ?? account?.email ?? payer.email?.trim().toLowerCase() ?? '',
    firstName: details?.firstName ?? account?.firstName ?? firstName,
    lastName: details?.lastName ?? account?.lastName ?? rest.join(' '),
    phone: details?.phone || null,
    shippingAddress: details?.address ?? null,
    gift: details?.gift ?? null,
  };
}

/** The order a payment's checkout has come to; of two payments both have the same one. */
export async function orderPaidFor(db: Db, payment: Payment): Promise<Order | undefined> {
  const cart = await cartById(db, payment.purposeId);
  return cart && orderOfCheckout(db, cart.checkoutId);
}

async function tellGivenBack(
  tx: Db,
  { jobs, clock, link, ownersMailbox }: PlacingScope,
  payment: Payment,
): Promise<void> {
  const order = await orderPaidFor(tx, payment);
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
