import type { CustomerDetails, PartialAddress } from '#contract/customer-details.ts';
import type { Cart } from '#contract/catalog.ts';
import type { OrderLine, ShippingAddress } from '#contract/orders.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Order } from '../orders/orders.ts';
import {
  PaymentProviderError,
  type CardPayments,
  type TaxCalculation,
  type TaxRequest,
  type RequestDeadline,
} from '../ports/card-payments.ts';
import { providerTimeoutMs } from './request-intent.ts';

interface TaxedCart {
  cart: Cart;
  lines: OrderLine[];
  subtotalCents: number;
  discountCents: number;
}

/**
 * Calculates the tax on a cart after its discount: at the shipping address, or for a service at the address where the
 * buyer lives.
 */
export async function calculateTaxOfCart(
  provider: CardPayments,
  taxed: TaxedCart & { details: CustomerDetails | null },
  within: RequestDeadline,
): Promise<TaxCalculation> {
  const { details, cart } = taxed;
  if (!details) throw new Refusal('details-needed');
  const isShipped = cart.productId !== 'byof';
  const address = isShipped ? details.address : (details.taxLocation ?? details.address);
  if (!address) throw new Refusal(isShipped ? 'details-needed' : 'tax-location-needed');
  return calculateTaxAtAddress(provider, { ...taxed, address }, within);
}

/** Calculates the tax on a cart after its discount at an address, of which only a part may be known. */
export async function calculateTaxAtAddress(
  provider: CardPayments,
  { address, ...taxed }: TaxedCart & { address: PartialAddress },
  within: RequestDeadline,
): Promise<TaxCalculation> {
  const isShipped = taxed.cart.productId !== 'byof';
  const addressSource = isShipped ? 'shipping' : 'billing';
  const request = { currency: 'usd', lines: createTaxLines({ ...taxed, isShipped }), address, addressSource } as const;
  const calculation = await provider.calculateTax(request, within);
  if (!calculation) throw new Refusal('tax-location-unknown');
  return calculation;
}

/**
 * Calculates the tax that a paid order would have at another shipping address. Returns undefined if the provider does
 * not respond in time or does not know the address, so that the address can be changed without the provider.
 */
export async function calculateTaxOfOrder(
  provider: CardPayments,
  order: Pick<Order, 'lines' | 'subtotalCents' | 'discountCents'>,
  address: ShippingAddress,
): Promise<number | undefined> {
  const lines = createTaxLines({ ...order, isShipped: true });
  const request = { currency: 'usd', lines, address, addressSource: 'shipping' } as const;
  const deadline = AbortSignal.timeout(providerTimeoutMs);
  const calculation = await provider.calculateTax(request, { deadline }).catch((error: unknown) => {
    if (error instanceof PaymentProviderError) return undefined;
    throw error;
  });
  return calculation?.taxCents;
}

/** The lines of a tax request. Each line is reduced by its share of the discount. The shares add up to the discount. */
function createTaxLines({
  lines,
  subtotalCents,
  discountCents,
  isShipped,
}: Pick<TaxedCart, 'lines' | 'subtotalCents' | 'discountCents'> & { isShipped: boolean }): TaxRequest['lines'] {
  let before = 0;
  const computeDiscountUpTo = (cents: number) => Math.round((cents * discountCents) / subtotalCents);
  return lines.map(({ quantity, amountCents }, index) => {
    const discountShare = computeDiscountUpTo(before + amountCents) - computeDiscountUpTo(before);
    before += amountCents;
    const kind = index === 0 && isShipped ? 'goods' : 'service';
    return { reference: `line-${index + 1}`, kind, quantity, amountCents: amountCents - discountShare };
  });
}
