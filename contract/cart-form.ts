import * as z from 'zod/mini';
import { limits } from './limits.ts';

/** Apart from catalog.ts, which every page loads: prices need no schema library. */
const wholeNumber = (name: string, least: number, most: number) =>
  z
    .int(`${name} must be a whole number.`)
    .check(
      z.gte(least, `${name} must be at least ${least}.`),
      z.lte(most, `${name} can be at most ${most} online. Please contact support for more.`),
    );

/** As the customer types it, or a link carries it. Empty: none. */
export const PromoCodeField = z.string().check(z.trim(), z.maxLength(40, 'This promo code is too long.'));

/** How many extra packages are bought at once for a frame one owns (specification 2, section 5). */
export const AddonQuantity = wholeNumber('Quantity', 1, limits.maxAddonPackages);

export const CartBody = z.object({
  productId: z.string('Please choose a product.').check(z.minLength(1, 'Please choose a product.'), z.maxLength(64)),
  quantity: wholeNumber('Quantity', 1, limits.maxFrames),
  extraPackages: wholeNumber('Extra photo packages', 0, limits.maxExtras),
});
