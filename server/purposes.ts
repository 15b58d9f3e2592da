import { addonPurpose } from '#shop/addons/place-addon.ts';
import { giftCardPurpose } from '#shop/gift-card-sales/place-gift-card.ts';
import { orderPurpose } from '#shop/checkout/place-order.ts';
import type { PaymentPurposes } from '#shop/payments/purpose.ts';

/** What a payment can be for, and the module that fulfills each purpose. */
export const purposes: PaymentPurposes = { order: orderPurpose, 'add-on': addonPurpose, 'gift-card': giftCardPurpose };
