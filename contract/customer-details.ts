import * as z from 'zod/mini';
import { emailAddress, trimmed } from './fields.ts';

/** Countries we ship to (specification 1, section 5). */
export const countries = [
  { code: 'US', name: 'United States' },
  { code: 'CA', name: 'Canada' },
] as const;

export const ShippingAddressForm = z.object({
  line1: trimmed('Address is required', 200),
  line2: z.optional(z.string().check(z.trim(), z.maxLength(200, 'This line is too long'))),
  city: trimmed('City is required', 100),
  state: trimmed('State is required', 100),
  postalCode: trimmed('ZIP code is required', 20),
  country: z.enum(['US', 'CA'], 'Please choose United States or Canada'),
});

/** Who buys: the byof service needs no address. */
export const CustomerDetailsForm = z.object({
  firstName: trimmed('First name is required', 100),
  lastName: trimmed('Last name is required', 100),
  email: emailAddress,
  phone: z.optional(z.string().check(z.trim(), z.maxLength(40, 'This phone number is too long'))),
  address: z.optional(ShippingAddressForm),
});
/** With an address, for everything that is shipped. */
export const ShippedCustomerDetailsForm = z.extend(CustomerDetailsForm, { address: ShippingAddressForm });

export type ShippingAddress = z.output<typeof ShippingAddressForm>;
export type CustomerDetails = z.output<typeof CustomerDetailsForm>;
