import * as z from 'zod/mini';
import { addressFormats, type Country } from './addresses.ts';
import { emailAddressField, phoneNumberField, optionalTextField, requiredTextField } from './fields.ts';
import { GiftForm } from './gift-forms.ts';

const unknownCountryMessage = 'Please choose United States or Canada';

/** An address in the country's format, with a region of that country and a valid postal code. */
function addressFormFor<C extends Country>(country: C) {
  const addressFormat = addressFormats[country];
  const codes: ReadonlySet<string> = new Set(addressFormat.regions.map((it) => it.value));
  return z.object({
    line1: requiredTextField('Address is required', 200),
    line2: z.optional(optionalTextField(200, 'This line is too long')),
    city: requiredTextField('City is required', 100),
    state: z.string(addressFormat.regionMissing).check(z.refine((it) => codes.has(it), addressFormat.regionMissing)),
    postalCode: z.string(addressFormat.postalMissing).check(
      z.overwrite(addressFormat.tidyPostal),
      z.minLength(1, addressFormat.postalMissing),
      z.refine((it) => it === '' || addressFormat.postalPattern.test(it), addressFormat.postalWrong),
    ),
    country: z.literal(country, unknownCountryMessage),
  });
}
export const addressForms = { US: addressFormFor('US'), CA: addressFormFor('CA') };
/** An address as the client sends it. Without a country, it is in the United States (specification 1, section 3). */
const sentAddressForms = {
  US: z.extend(addressForms.US, { country: z._default(z.optional(addressForms.US.shape.country), 'US') }),
  CA: addressForms.CA,
};
export const ShippingAddressForm = z.discriminatedUnion(
  'country',
  [sentAddressForms.US, sentAddressForms.CA],
  unknownCountryMessage,
);

const locationForms = {
  US: z.pick(addressForms.US, { country: true, postalCode: true }),
  CA: z.pick(addressForms.CA, { country: true, postalCode: true }),
};
/** The part of an address that sales tax depends on. */
export const TaxLocationForm = z.discriminatedUnion(
  'country',
  [locationForms.US, locationForms.CA],
  unknownCountryMessage,
);

/**
 * The part of an address that a wallet gives before the buyer confirms. A wallet hides the street until then, and some
 * wallets shorten the postal code.
 */
export const PartialAddressForm = z.object({
  country: z.enum(['US', 'CA'], unknownCountryMessage),
  state: z.optional(optionalTextField(100, 'This line is too long')),
  city: z.optional(optionalTextField(100, 'This line is too long')),
  postalCode: z.optional(optionalTextField(20, 'This line is too long')),
});

/** The buyer. The byof service needs no address, and needs a tax location only if the shop collects tax. */
export const CustomerDetailsForm = z.object({
  firstName: requiredTextField('First name is required', 100),
  lastName: requiredTextField('Last name is required', 100),
  email: emailAddressField,
  phone: z.optional(phoneNumberField),
  address: z.optional(ShippingAddressForm),
  taxLocation: z.optional(TaxLocationForm),
  /** If present, the address is the recipient's. */
  gift: z.optional(GiftForm),
});
const detailsWithoutGift = z.omit(CustomerDetailsForm, { gift: true });
/** The forms of the details page: shipped to the United States, shipped to Canada, or delivered by email only. */
export const detailsForms = {
  US: z.extend(detailsWithoutGift, { address: addressForms.US }),
  CA: z.extend(detailsWithoutGift, { address: addressForms.CA }),
  digital: z.omit(detailsWithoutGift, { address: true, taxLocation: true }),
};
/** The forms of the details page for orders delivered by email only, in shops that collect tax on them. */
export const taxedDigitalForms = {
  US: z.extend(detailsForms.digital, { taxLocation: locationForms.US }),
  CA: z.extend(detailsForms.digital, { taxLocation: locationForms.CA }),
};

export type ShippingAddress = z.output<typeof ShippingAddressForm>;
export type PartialAddress = z.output<typeof PartialAddressForm>;
export type TaxLocation = z.output<typeof TaxLocationForm>;
export type CustomerDetails = z.output<typeof CustomerDetailsForm>;
