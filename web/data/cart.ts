import { type Cart, cartLimits, cartProducts, isPhotoBundle, kinframe } from '#contract/catalog.ts';

/** The cart in the search params of an address. Every value is untrusted input. */
export interface CartSearch {
  product?: string | undefined;
  quantity?: number | undefined;
  extras?: number | undefined;
}

/**
 * The cart of an address (specification 1, section 2). Missing and invalid values become kinframe, quantity 1 and 0
 * extras. A photo package is sold only with a frame, so an address with only a photo package also gets a frame.
 */
export function createCart({ product, quantity = 1, extras = 0 }: CartSearch): Cart {
  const isBundleChosen = product !== undefined && isPhotoBundle(product);
  const productId = cartProducts.find((it) => it === product) ?? kinframe;
  return {
    productId,
    quantity: productId === 'byof' ? 1 : toWholeNumberBetween(quantity, 1, cartLimits.maxFrames),
    extraPackages: toWholeNumberBetween(extras, isBundleChosen ? 1 : 0, cartLimits.maxExtras),
  };
}

export const createCartSearch = ({ productId, quantity, extraPackages }: Cart) => ({
  product: productId,
  quantity,
  extras: extraPackages,
});

/** Whether the order needs a package to ship. */
export const isShipped = ({ productId }: Cart) => productId !== 'byof';

const toWholeNumberBetween = (value: number, least: number, most: number) =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : least;
