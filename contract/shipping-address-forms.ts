import * as z from 'zod/mini';
import type { Country } from './addresses.ts';
import { addressForms, ShippingAddressForm } from './customer-details.ts';

const mailCustomerField = z.boolean();

/** The owner's form for another shipping address, by country. */
export const changeAddressForms = {
  US: z.object({ address: addressForms.US, tellCustomer: mailCustomerField }),
  CA: z.object({ address: addressForms.CA, tellCustomer: mailCustomerField }),
} satisfies Record<Country, unknown>;

export const ChangeAddressBody = z.object({
  address: ShippingAddressForm,
  /** Whether the buyer gets an email with the new address. */
  tellCustomer: mailCustomerField,
});
