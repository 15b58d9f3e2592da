import * as z from 'zod/mini';
import { CartBody, PromoCodeField } from './cart-form.ts';
import { ShippingAddressForm } from './customer-details.ts';
import { emailAddressField, optionalTextField, phoneNumberField } from './fields.ts';
import { limits } from './limits.ts';

const nameField = optionalTextField(100);

/** The customer of an order by phone. The customer enters at checkout what the owner does not know. */
export const PhoneCustomerForm = z.object({
  email: emailAddressField,
  firstName: z.optional(nameField),
  lastName: z.optional(nameField),
  phone: z.optional(phoneNumberField),
  address: z.optional(ShippingAddressForm),
});
export type PhoneCustomer = z.output<typeof PhoneCustomerForm>;

/** An order that the owner takes by phone. The customer pays it with a link. */
export const PhoneOrderForm = z.object({
  ...CartBody.shape,
  customer: PhoneCustomerForm,
  promoCode: z.optional(PromoCodeField),
  /** Only the owner reads it. It becomes the notes of the order. */
  note: z.optional(optionalTextField(limits.phoneOrderNoteCharacters)),
  /** Whether the customer gets the link by email. */
  sends: z.boolean(),
});
