import {
  cartProducts,
  isPhotoBundle,
  kinframe,
  pricesInCents,
  calculateCartPrice,
  type Cart,
  type CartProduct,
} from '#contract/catalog.ts';
import type { OrderLine } from '#contract/orders.ts';
import { Refusal } from '#contract/refusals.ts';

/** Checks a cart from the browser against the products on sale. */
export function readCart(requestedCart: { productId: string; quantity: number; extraPackages: number }): Cart {
  if (isPhotoBundle(requestedCart.productId)) throw new Refusal('bundle-needs-frame');
  const productId = cartProducts.find((it): it is CartProduct => it === requestedCart.productId);
  if (!productId) throw new Refusal('unknown-product');
  if (productId === 'byof' && requestedCart.quantity !== 1) throw new Refusal('one-service');
  return { productId, quantity: requestedCart.quantity, extraPackages: requestedCart.extraPackages };
}

const names: Record<CartProduct, string> = {
  [kinframe]: 'Kinframe Digital Picture Frame',
  byof: 'Bring Your Own Frame AI animation service',
};

export interface PricedCart {
  lines: OrderLine[];
  /** Integer cents, before discount and tax. */
  subtotalCents: number;
}

/** The price of a cart, line by line, calculated by the server. */
export function priceCart(cart: Cart): PricedCart {
  const { devicesCents, extrasCents, subtotalCents } = calculateCartPrice(cart);
  const lines: OrderLine[] = [
    {
      label: names[cart.productId],
      quantity: cart.quantity,
      unitCents: pricesInCents[cart.productId],
      amountCents: devicesCents,
    },
  ];
  if (cart.extraPackages > 0)
    lines.push({
      label: '+10 AI Photo Package',
      quantity: cart.extraPackages,
      unitCents: pricesInCents.extraPackage,
      amountCents: extrasCents,
    });
  return { lines, subtotalCents };
}
