import { insertCustomer } from '#shop/accounts/proven-email.ts';
import { provenAccountOf } from '#shop/accounts/proven-account.ts';
import { hashPassword } from '#shop/accounts/passwords.ts';
import { createFrames } from '#shop/frames/frames.ts';
import { createOrderPlacer } from '#shop/orders/orders.ts';
import type { Db } from '#shop/ports/database.ts';

export const customerEve = {
  firstName: 'Eve',
  lastName: 'Frost',
  email: 'eve@example.com',
  password: 'Snow-on-the-roof-9',
};
/** 8 pm in New York. In UTC and further east it is already Christmas. */
export const christmasEve = new Date('2025-12-25T01:00:00Z');
export const christmasEveOrderNumber = 'KF-EVE8-PMNY';

/** Creates Eve's account with a frame that she bought at `christmasEve`. */
export async function buyOnChristmasEve(db: Db): Promise<void> {
  const clock = { now: () => christmasEve };
  const passwordHash = await hashPassword(customerEve.password);
  await db.transaction(async (tx) => {
    const customer = (await insertCustomer(tx, clock, { ...customerEve, passwordHash, emailProvenAt: christmasEve }))!;
    const order = await createOrderPlacer(provenAccountOf)(tx, clock, {
      orderNumber: christmasEveOrderNumber,
      customerId: customer.id,
      email: customerEve.email,
      firstName: customerEve.firstName,
      lastName: customerEve.lastName,
      phone: null,
      phoneE164: null,
      shippingAddress: { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' },
      gift: null,
      productType: 'kinframe',
      quantity: 1,
      extraPackages: 0,
      lines: [{ label: 'Kinframe', quantity: 1, unitCents: 19_900, amountCents: 19_900 }],
      subtotalCents: 19_900,
      discountCents: 0,
      promoCode: null,
      taxCents: 0,
      taxRate: null,
      taxJurisdiction: null,
      totalCents: 19_900,
      giftCardCents: 0,
      checkoutId: 'christmas-eve',
      paymentId: 'christmas-eve',
      stripePaymentIntentId: 'pi_christmas_eve',
    });
    await createFrames(tx, clock, order!.id, { productId: 'kinframe', quantity: 1, extraPackages: 0 });
  });
}
