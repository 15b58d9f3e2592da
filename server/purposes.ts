import { addonPurpose } from '#shop/addons/place-addon.ts';
import { orderPurpose } from '#shop/checkout/place-order.ts';
import type { Purposes } from '#shop/payments/purpose.ts';

/** What money is paid for, and the word that places it. */
export const purposes: Purposes = { order: orderPurpose, 'add-on': addonPurpose };
