import type { PartialAddress } from '#contract/customer-details.ts';
import type { OrderLine } from '#contract/orders.ts';
import type { Cart } from '#contract/catalog.ts';
import { Refusal } from '#contract/refusals.ts';
import type { TaxCalculation } from '../ports/card-payments.ts';
import { priceCart, readCart } from '../catalog/catalog.ts';
import { asPaymentUnavailable, type PaymentScope } from '../payments/payments.ts';
import { countPromotionUses, computeDiscountCents, readPromotion, type Promotion } from '../promotions/promotions.ts';
import { providerTimeoutMs } from './request-intent.ts';
import { checkStock } from './frame-stock.ts';
import { calculateTaxAtAddress } from './tax.ts';

export interface PriceScope extends Pick<PaymentScope, 'db' | 'clock' | 'provider'> {
  collectsTax: boolean;
}
/** A cart as the browser sends it. */
export interface RequestedCart {
  productId: string;
  quantity: number;
  extraPackages: number;
}
interface DiscountedCart {
  cart: Cart;
  lines: OrderLine[];
  subtotalCents: number;
  promotion: Promotion | undefined;
  discountCents: number;
}

/** Returns the lines of a cart and its discount. Refuses a cart that is not sold, and a promo code that is not valid. */
export async function calculatePriceWithDiscount(
  scope: Pick<PriceScope, 'db' | 'clock'>,
  requestedCart: RequestedCart & { promoCode?: string | undefined },
): Promise<DiscountedCart> {
  const cart = readCart(requestedCart);
  const { lines, subtotalCents } = priceCart(cart);
  const promotion = requestedCart.promoCode ? await readPromotion(scope, requestedCart.promoCode) : undefined;
  const discountCents = promotion ? computeDiscountCents(subtotalCents, promotion) : 0;
  return { cart, lines, subtotalCents, promotion, discountCents };
}

/**
 * Whether the card is charged only after its authorization. The shop checks only then whether a limited code has a use
 * left, and whether the frames are left.
 */
export const isCapturedLater = ({ promotion }: Pick<DiscountedCart, 'promotion'>, areFramesCounted: boolean) =>
  areFramesCounted || promotion?.usageCap !== undefined;

export interface CartPrice extends DiscountedCart {
  /** Undefined if the shop collects tax and there is no address yet. */
  taxCents: number | undefined;
  totalCents: number;
  isCapturedLater: boolean;
  /** Undefined if no tax was calculated. */
  tax: TaxCalculation | undefined;
}

/**
 * Calculates what a cart costs at an address, as `startPayment` does, and stores nothing. Refuses what cannot be bought
 * now.
 */
export async function calculatePriceAt(
  scope: PriceScope,
  requestedCart: RequestedCart & { promoCode?: string | undefined },
  address: PartialAddress | undefined,
): Promise<CartPrice> {
  const { db, provider, collectsTax } = scope;
  const cartPrice = await calculatePriceWithDiscount(scope, requestedCart);
  const { promotion } = cartPrice;
  if (promotion?.usageCap !== undefined && (await countPromotionUses(db, promotion.code)) >= promotion.usageCap)
    throw new Refusal('promo-code-used-up');
  const areFramesCounted = await checkStock(db, cartPrice.cart, '');
  const deadline = AbortSignal.timeout(providerTimeoutMs);
  const tax =
    collectsTax && address
      ? await calculateTaxAtAddress(provider, { ...cartPrice, address }, { deadline }).catch(asPaymentUnavailable)
      : undefined;
  const taxCents = collectsTax ? tax?.taxCents : 0;
  return {
    ...cartPrice,
    tax,
    taxCents,
    totalCents: cartPrice.subtotalCents - cartPrice.discountCents + (taxCents ?? 0),
    isCapturedLater: isCapturedLater(cartPrice, areFramesCounted),
  };
}
