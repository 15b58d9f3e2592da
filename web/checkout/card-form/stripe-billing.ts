import type { BillingDetails } from './card-form.tsx';

/**
 * The buyer's details in Stripe's format. If the Payment Element asks for the country and postal code of the card, they
 * are omitted here.
 */
export function toStripeBillingDetails(
  { firstName, lastName, email, phone, address, taxLocation }: BillingDetails,
  { asksPostalCode }: { asksPostalCode: boolean },
) {
  const billingAddress = address ?? taxLocation;
  return {
    name: `${firstName} ${lastName}`,
    email,
    ...(phone && { phone }),
    address: {
      ...(address && { line1: address.line1, line2: address.line2 ?? '', city: address.city, state: address.state }),
      ...(billingAddress &&
        !asksPostalCode && { country: billingAddress.country, postal_code: billingAddress.postalCode }),
    },
  };
}
