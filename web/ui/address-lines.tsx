import type { OrderView } from '#contract/orders.ts';
import { countries } from '#contract/addresses.ts';

/** An address with one line for each part, as on a package. */
export function AddressLines({ address }: { address: NonNullable<OrderView['shippingAddress']> }) {
  const { line1, line2, city, state, postalCode, country } = address;
  return (
    <address className="not-italic">
      <span className="block">{line1}</span>
      {line2 && <span className="block">{line2}</span>}
      <span className="block">
        {city}, {state} {postalCode}
      </span>
      <span className="block">{countries.find((it) => it.code === country)?.name ?? country}</span>
    </address>
  );
}
