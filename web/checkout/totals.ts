import { type Cart, kinframe, includedPhotoCounts, calculateCartPrice } from '#contract/catalog.ts';
import type { CheckoutIntent } from './use-payment.ts';

export interface SummaryLine {
  label: string;
  detail: string;
  amountCents: number;
}
export interface Totals {
  lines: SummaryLine[];
  subtotalCents: number;
  discountCents: number;
  /** The promo code that gives the discount. */
  promoCode: string | undefined;
  /** Undefined until the shop has calculated it. */
  taxCents: number | undefined;
  totalCents: number;
  /** What each gift card pays. Empty until the shop has calculated it. */
  giftCards: { lastFour: string; amount: number }[];
  /** What is left to pay by card. */
  dueCents: number;
}

interface KnownAmounts {
  /** The amounts that the shop has calculated for this cart. */
  answer?: CheckoutIntent | undefined;
  /** The discount of a promo code for this cart. */
  discount?: { code: string; cents: number } | undefined;
}

/** The price of an order. Until the shop has calculated the amounts for this cart, the price book is used. */
export function computeTotals(
  cart: Cart,
  names: { product: string; extras: string },
  { answer, discount }: KnownAmounts = {},
): Totals {
  const price = calculateCartPrice(cart);
  const [devices, extras] = answer?.lines ?? [];
  const { device, extraPackage } = includedPhotoCounts;
  const summaryLines = [
    {
      label: names.product,
      detail: cart.productId === kinframe ? pluralize(cart.quantity, 'frame') : `${device} photos, digital delivery`,
      amountCents: devices?.amountCents ?? price.devicesCents,
    },
  ];
  if (cart.extraPackages > 0) {
    summaryLines.push({
      label: names.extras,
      detail: `${pluralize(cart.extraPackages, 'package')}, ${cart.extraPackages * extraPackage} more photos`,
      amountCents: extras?.amountCents ?? price.extrasCents,
    });
  }
  const totalCents = answer?.totalAmount ?? price.subtotalCents - (discount?.cents ?? 0);
  return {
    lines: summaryLines,
    subtotalCents: answer?.subtotalAmount ?? price.subtotalCents,
    discountCents: answer ? answer.discountAmount : (discount?.cents ?? 0),
    promoCode: answer ? answer.promoCode : discount?.code,
    taxCents: answer?.taxAmount,
    totalCents,
    giftCards: answer?.giftCards ?? [],
    dueCents: answer?.dueAmount ?? totalCents,
  };
}

const pluralize = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;
