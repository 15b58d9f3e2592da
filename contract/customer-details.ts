import * as z from 'zod/mini';
import { addressStyles, type Country } from './addresses.ts';
import { emailAddress, trimmed } from './fields.ts';
import { GiftForm } from './gift-forms.ts';

const unknownCountry = 'Please choose United States or Canada';

/** An address as its country writes it: a region it has, a postal code of its form. */
function addressFormFor<C extends Country>(country: C) {
  const style = addressStyles[country];
  const codes: ReadonlySet<string> = new Set(style.regions.map((it) => it.value));
  return z.object({
    line1: trimmed('Address is required', 200),
    line2: z.optional(z.string().check(z.trim(), z.maxLength(200, 'This line is too long'))),
    city: trimmed('City is required', 100),
    state: z.string(style.regionMissing).check(z.refine((it) => codes.has(it), style.regionMissing)),
    postalCode: z.string(style.postalMissing).check(
      z.overwrite(style.tidyPostal),
      z.minLength(1, style.postalMissing),
      z.refine((it) => it === '' || style.postalPattern.test(it), style.postalWrong),
    ),
    country: z.literal(country, unknownCountry),
  });
}
const addressForms = { US: addressFormFor('US'), CA: addressFormFor('CA') };
/** As it is sent: an address that names no country is in the United States (specification 1, section 3). */
const sentForms = {
  US: z.extend(addressForms.US, { country: z._default(z.optional(addressForms.US.shape.country), 'US') }),
  CA: addressForms.CA,
};
export const ShippingAddressForm = z.discriminatedUnion('country', [sentForms.US, sentForms.CA], unknownCountry);

const locationForms = {
  US: z.pick(addressForms.US, { country: true, postalCode: true }),
  CA: z.pick(addressForms.CA, { country: true, postalCode: true }),
};
/** As much of an address as sales tax depends on. */
export const TaxLocationForm = z.discriminatedUnion('country', [locationForms.US, locationForms.CA], unknownCountry);

/** Who buys: the byof service needs no address, and a tax location only in a shop that collects tax. */
export const CustomerDetailsForm = z.object({
  firstName: trimmed('First name is required', 100),
  lastName: trimmed('Last name is required', 100),
  email: emailAddress,
  phone: z.optional(z.string().check(z.trim(), z.maxLength(40, 'This phone number is too long'))),
  address: z.optional(ShippingAddressForm),
  taxLocation: z.optional(TaxLocationForm),
  /** Then the address is the recipient's. */
  gift: z.optional(GiftForm),
});
const forOneself = z.omit(CustomerDetailsForm, { gift: true });
/** What the page asks for: shipped to the United States, shipped to Canada, or sent by e-mail only. */
export const detailsForms = {
  US: z.extend(forOneself, { address: addressForms.US }),
  CA: z.extend(forOneself, { address: addressForms.CA }),
  digital: z.omit(forOneself, { address: true, taxLocation: true }),
};
/** The same where tax is collected on what is sent by e-mail. */
export const taxedDigitalForms = {
  US: z.extend(detailsForms.digital, { taxLocation: locationForms.US }),
  CA: z.extend(detailsForms.digital, { taxLocation: locationForms.CA }),
};

export type ShippingAddress = z.output<typeof ShippingAddressForm>;
export type TaxLocation = z.output<typeof TaxLocationForm>;
export type CustomerDetails = z.output<typeof CustomerDetailsForm>;
