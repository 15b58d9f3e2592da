import * as z from 'zod/mini';
import { CustomerDetailsForm, ShippedCustomerDetailsForm, ShippingAddressForm } from '#contract/customer-details.ts';
import { addressStyles } from './regions.ts';

/** The contract's rules, and the address as its country writes it. */
function shippedFormFor(country: keyof typeof addressStyles) {
  const style = addressStyles[country];
  const codes: ReadonlySet<string> = new Set(style.regions.map((it) => it.value));
  return z.extend(ShippedCustomerDetailsForm, {
    address: z.extend(ShippingAddressForm, {
      state: z.string(style.regionMissing).check(
        z.minLength(1, style.regionMissing),
        z.refine((it) => it === '' || codes.has(it), style.regionMissing),
      ),
      postalCode: z.string(style.postalMissing).check(
        z.overwrite(style.tidyPostal),
        z.minLength(1, style.postalMissing),
        z.refine((it) => it === '' || style.postalPattern.test(it), style.postalWrong),
      ),
    }),
  });
}

/** Shipped to the United States, shipped to Canada, or sent by e-mail only. */
export const detailsForms = {
  US: shippedFormFor('US'),
  CA: shippedFormFor('CA'),
  digital: z.omit(CustomerDetailsForm, { address: true }),
};
