import { type Cart, cartProducts, isPhotoBundle, kinframe } from '#contract/catalog.ts';
import { limits } from '#contract/limits.ts';

/** The cart as an address spells it; everything in it is a stranger's text. */
export interface CartSearch {
  product?: string | undefined;
  quantity?: number | undefined;
  extras?: number | undefined;
}

/**
 * The cart an address asks for (specification 1, section 2): kinframe, 1 and 0 where it says nothing or nonsense. A
 * photo package is bought with a frame, so asking for one alone is asking for both.
 */
export function cartOf({ product, quantity = 1, extras = 0 }: CartSearch): Cart {
  const withBundle = product !== undefined && isPhotoBundle(product);
  const productId = cartProducts.find((it) => it === product) ?? kinframe;
  return {
    productId,
    quantity: productId === 'byof' ? 1 : whole(quantity, 1, limits.maxFrames),
    extraPackages: whole(extras, withBundle ? 1 : 0, limits.maxExtras),
  };
}

export const searchOf = ({ productId, quantity, extraPackages }: Cart) => ({
  product: productId,
  quantity,
  extras: extraPackages,
});

/** Whether something is put in a parcel. */
export const isShipped = ({ productId }: Cart) => productId !== 'byof';

const whole = (value: number, least: number, most: number) =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : least;
