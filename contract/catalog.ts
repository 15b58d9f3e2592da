/**
 * The product's id, slug and productType (specification 3, Names). Display names come from the content an owner edits.
 */
export const kinframe = 'kinframe';

/** What a buyer can put in a cart. */
export const cartProducts = [kinframe, 'byof'] as const;
export type CartProduct = (typeof cartProducts)[number];

/** The three product pages. */
export const productIds = [kinframe, 'photo2video-10', 'byof'] as const;
export type ProductId = (typeof productIds)[number];

/** The product type stored with an order. */
export const productTypes = [kinframe, `${kinframe}-with-bundle`, 'photo-bundle', 'byof'] as const;
export type ProductType = (typeof productTypes)[number];

/** photo2video-10 and photo-bundle name the same product. Both are accepted wherever a product id is read. */
export const isPhotoBundle = (id: string) => id === 'photo2video-10' || id === 'photo-bundle';

/** The price book, in integer cents of USD. Pages, titles, structured data and charges all use it. */
export const pricesInCents = { [kinframe]: 19_900, byof: 4_999, extraPackage: 999 } as const;
/** The smallest amount that a card can be charged. */
export const leastChargeCents = 50;
/** Photos that come with each device, and with each extra package. */
export const includedPhotoCounts = { device: 20, extraPackage: 10 } as const;
/** The most frames and extra packages of one cart. */
export const cartLimits = { maxFrames: 20, maxExtras: 50 } as const;
/** How many days customers can watch and download their videos after they are ready. */
export const deliveryDays = 90;
/** Numbers of business days, from the settings. */
export interface DeliveryTimes {
  /** From the day the photos are finished to the day the parcel leaves. */
  handlingDays: number;
  transitDays: number;
  /** The weekdays on which packages leave; 0 is Sunday. Absent: every day. */
  shipsOn?: readonly number[];
  /** The first and the last day of a vacation. On these days nothing is handled, and no package leaves. */
  vacation?: { from: string; to: string };
}
/** Business days for delivery estimates, unless the server's settings or the owner give other numbers. */
export const defaultDeliveryTimes = { handlingDays: 3, transitDays: 5 } as const;

export interface Cart {
  productId: CartProduct;
  /** The number of frames. Always 1 for byof. */
  quantity: number;
  /** The number of extra packages. Each has room for 10 photos. */
  extraPackages: number;
}
/** A package is bought together with a frame. The package's page and card sell this cart. */
export const frameAndPackageCart: Cart = { productId: kinframe, quantity: 1, extraPackages: 1 };

export interface CartPrice {
  devicesCents: number;
  extrasCents: number;
  subtotalCents: number;
}

/** Calculates totals according to specification 1, section 9. */
export function calculateCartPrice(cart: Cart): CartPrice {
  const devicesCents = pricesInCents[cart.productId] * cart.quantity;
  const extrasCents = pricesInCents.extraPackage * cart.extraPackages;
  return { devicesCents, extrasCents, subtotalCents: devicesCents + extrasCents };
}

/** The number of photos in a cart: 20 per device and 10 per extra package. */
export const photoCountOf = (cart: Pick<Cart, 'quantity' | 'extraPackages'>) =>
  includedPhotoCounts.device * cart.quantity + includedPhotoCounts.extraPackage * cart.extraPackages;

/**
 * Distributes whole extra packages round-robin, starting with the first frame. Returns the number of packages per
 * frame.
 */
export function distributePackages(cart: Cart): number[] {
  const packagesByFrame = Array.from({ length: cart.quantity }, () => 0);
  for (let i = 0; i < cart.extraPackages; i++) packagesByFrame[i % cart.quantity]! += 1;
  return packagesByFrame;
}

export const productTypeOf = (cart: Cart): ProductType =>
  cart.productId === 'byof' ? 'byof' : cart.extraPackages > 0 ? `${kinframe}-with-bundle` : kinframe;

/** Formats cents as the specification requires: $199.00. */
export const formatDollars = (cents: number) => {
  const sign = cents < 0 ? '-' : '';
  const [dollars, rest] = (Math.abs(cents) / 100).toFixed(2).split('.') as [string, string];
  return `${sign}$${dollars.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`;
};
