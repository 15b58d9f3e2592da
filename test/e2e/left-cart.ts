import type { Database } from '#adapters/database/database.ts';
import { hashToken } from '#shop/tokens/tokens.ts';
import { cartReminders } from '#shop/checkout/cart-reminders.sql.ts';
import { beginCheckout, freezeCart } from '#shop/checkout/carts.ts';
import { queueMail } from '#shop/mail/mail.ts';

export const customerCara = {
  firstName: 'Cara',
  lastName: 'Lund',
  email: 'cara@example.com',
  address: { line1: '4 Harbor Road', city: 'Portland', state: 'ME', postalCode: '04101', country: 'US' },
} as const;

/** Leaves Cara's cart at the payment and queues its reminder. The shop sends it when it starts. */
export async function insertAbandonedCart({ db, jobs }: Database): Promise<void> {
  const clock = { now: () => new Date() };
  await db.transaction(async (tx) => {
    const { id: checkoutId } = await beginCheckout(tx, clock);
    const lines = [
      { label: 'Kinframe Digital Picture Frame', quantity: 1, unitCents: 19_900, amountCents: 19_900 },
      { label: '+10 AI Photo Package', quantity: 2, unitCents: 999, amountCents: 1998 },
    ];
    const cart = await freezeCart(tx, clock, {
      checkoutId,
      customerId: null,
      productId: 'kinframe',
      quantity: 1,
      extraPackages: 2,
      lines,
      details: customerCara,
      subtotalCents: 21_898,
      discountCents: 0,
      promoCode: null,
      promotionUse: 'none',
      framesHeld: 0,
      taxCents: 0,
      taxRate: null,
      taxJurisdiction: null,
      taxCalculationId: null,
      totalCents: 21_898,
      giftCardCents: 0,
    });
    const now = clock.now();
    const id = 'left-cart';
    await tx
      .insert(cartReminders)
      .values({ id, cartId: cart.id, emailHash: hashToken(customerCara.email), leftAt: now, firstSentAt: now });
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `cart-reminder:${id}:1`,
        to: customerCara.email,
        content: {
          kind: 'cart-reminder',
          firstName: customerCara.firstName,
          isLast: false,
          lines,
          subtotalCents: 21_898,
          discountCents: 0,
          taxCents: 0,
          totalCents: 21_898,
          isShipped: true,
          isGift: false,
          checkoutUrl: { link: 'cart', subjectId: id },
          unsubscribeUrl: { link: 'cart-unsubscribe', subjectId: id },
        },
      },
    );
  });
}
