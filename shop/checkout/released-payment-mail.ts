import { findOrderOfCheckout } from '../orders/orders.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { hasLostGiftCard } from '../gift-cards/spending.ts';
import { queueMail } from '../mail/mail.ts';
import { lockPayment } from '../payments/payments.ts';
import { findCartById, hasCartSince, lockCheckout } from './carts.ts';
import { findFrameShortage } from './frame-stock.ts';
import { findLostDiscount } from './promotion-uses.ts';

interface Scope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  link: (path: string) => string;
}

/**
 * The job that runs some minutes after the authorization of a payment was released. The job emails the buyer once. It
 * sends no mail if the checkout has an order or a newer cart by then: a buyer with a newer cart has already seen the
 * message on the page. A payment that was captured after all has an order.
 */
export const mailReleasedPayment = ({ db, clock, jobs, link }: Scope, paymentId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (payment?.purpose !== 'order' || payment.state !== 'cancelled' || payment.email === null) return;
    const cart = await findCartById(tx, payment.purposeId);
    if (!cart) return;
    await lockCheckout(tx, cart.checkoutId);
    if (await findOrderOfCheckout(tx, cart.checkoutId)) return;
    // `updatedAt` is the time when the payment was closed.
    if (await hasCartSince(tx, cart.checkoutId, payment.updatedAt)) return;
    const lostCode = await findLostDiscount({ db: tx, clock }, cart);
    const framesLeft = await findFrameShortage(tx, cart);
    const isGiftCardLost = !lostCode && framesLeft === undefined && (await hasLostGiftCard(tx, cart.id));
    const { productId: product, quantity, extraPackages, details } = cart;
    const search = new URLSearchParams({
      product,
      quantity: String(quantity),
      extras: String(extraPackages),
      step: 'payment',
    });
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `payment-released:${paymentId}`,
        to: payment.email,
        content: {
          kind: 'payment-released',
          firstName: details?.firstName,
          promoCode: framesLeft === undefined ? lostCode?.code : undefined,
          framesLeft: framesLeft,
          ...(isGiftCardLost && { isGiftCardLost }),
          checkoutUrl: link(framesLeft === 0 ? '/product/kinframe' : `/checkout?${search}`),
        },
      },
    );
  });
