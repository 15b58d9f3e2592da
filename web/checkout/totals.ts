import { type Cart, kinframe, photosIncluded, priceOf } from '#contract/catalog.ts';
import type { Intent } from './use-payment.ts';

export interface SummaryLine {
  label: string;
  detail: string;
  amountCents: number;
}
export interface Totals {
  lines: SummaryLine[];
  subtotalCents: number;
  discountCents: number;
  /** The code behind the discount. */
  promoCode: string | undefined;
  /** Undefined until the shop has worked it out. */
  taxCents: number | undefined;
  totalCents: number;
}

interface Known {
  /** The shop's own sum of this cart. */
  answer?: Intent | undefined;
  /** What a promo code takes off this cart. */
  discount?: { code: string; cents: number } | undefined;
}

/** What an order costs, by the price book, until the shop's own answer to this cart is there. */
export function totalsOf(
  cart: Cart,
  names: { product: string; extras: string },
  { answer, discount }: Known = {},
): Totals {
  const price = priceOf(cart);
  const [devices, extras] = answer?.lines ?? [];
  const { device, extraPackage } = photosIncluded;
  const lines = [
    {
      label: names.product,
      detail: cart.productId === kinframe ? countOf(cart.quantity, 'frame') : `${device} photos, digital delivery`,
      amountCents: devices?.amountCents ?? price.devicesCents,
    },
  ];
  if (cart.extraPackages > 0) {
    lines.push({
      label: names.extras,
      detail: `${countOf(cart.extraPackages, 'package')}, ${cart.extraPackages * extraPackage} more photos`,
      amountCents: extras?.amountCents ?? price.extrasCents,
    });
  }
  return {
    lines,
    subtotalCents: answer?.subtotalAmount ?? price.subtotalCents,
    discountCents: answer ? answer.discountAmount : (discount?.cents ?? 0),
    promoCode: answer ? answer.promoCode : discount?.code,
    taxCents: answer?.taxAmount,
    totalCents: answer?.totalAmount ?? price.subtotalCents - (discount?.cents ?? 0),
  };
}

const countOf = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;
