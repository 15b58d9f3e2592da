import type { CustomerDetails } from '#contract/customer-details.ts';
import type { Cart } from '#contract/catalog.ts';
import type { OrderLine } from '#contract/orders.ts';
import { Refusal } from '#contract/refusals.ts';
import type { CardPayments, TaxCalculation, TaxRequest, WithDeadline } from '../ports/card-payments.ts';

interface Taxed {
  cart: Cart;
  lines: OrderLine[];
  subtotalCents: number;
  discountCents: number;
  details: CustomerDetails | null;
}

/** The tax on a cart after its discount, where it is sent; for the service, where its buyer says to live. */
export async function taxOn(provider: CardPayments, taxed: Taxed, within: WithDeadline): Promise<TaxCalculation> {
  const { details, cart } = taxed;
  if (!details) throw new Refusal('details-needed');
  const isShipped = cart.productId !== 'byof';
  const address = isShipped ? details.address : (details.taxLocation ?? details.address);
  if (!address) throw new Refusal(isShipped ? 'details-needed' : 'tax-location-needed');
  const addressSource = isShipped ? 'shipping' : 'billing';
  const request = { currency: 'usd', lines: taxLines(taxed), address, addressSource } as const;
  const calculation = await provider.calculateTax(request, within);
  if (!calculation) throw new Refusal('tax-location-unknown');
  return calculation;
}

/** Lines as they are paid for: each carries its share of the discount, to the cent. */
function taxLines({ cart, lines, subtotalCents, discountCents }: Taxed): TaxRequest['lines'] {
  let before = 0;
  const discountUpTo = (cents: number) => Math.round((cents * discountCents) / subtotalCents);
  return lines.map(({ quantity, amountCents }, index) => {
    const share = discountUpTo(before + amountCents) - discountUpTo(before);
    before += amountCents;
    const kind = index === 0 && cart.productId !== 'byof' ? 'goods' : 'service';
    return { reference: `line-${index + 1}`, kind, quantity, amountCents: amountCents - share };
  });
}
