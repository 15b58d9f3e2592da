import { cartLimits } from './catalog.ts';
import * as z from 'zod/mini';
import { shopCodeField } from './fields.ts';
import { limits } from './limits.ts';

/** Not in catalog.ts, because every page loads catalog.ts, and prices do not need a schema library. */
const wholeNumber = (name: string, least: number, most: number) =>
  z
    .int(`${name} must be a whole number.`)
    .check(
      z.gte(least, `${name} must be at least ${least}.`),
      z.lte(most, `${name} can be at most ${most} online. Please contact support for more.`),
    );

/** A promo code that the customer typed or that a link contains. Empty means none. */
export const PromoCodeField = shopCodeField(40, 'This promo code is too long.');

/** How many extra packages the customer can buy at once for a frame they own (specification 2, section 5). */
export const AddonQuantity = wholeNumber('Quantity', 1, limits.maxAddonPackages);

export const CartBody = z.object({
  productId: z.string('Please choose a product.').check(z.minLength(1, 'Please choose a product.'), z.maxLength(64)),
  quantity: wholeNumber('Quantity', 1, cartLimits.maxFrames),
  extraPackages: wholeNumber('Extra photo packages', 0, cartLimits.maxExtras),
});
