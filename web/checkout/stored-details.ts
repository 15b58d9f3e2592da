import { useMemo } from 'react';
import type { Cart } from '#contract/catalog.ts';
import {
  CustomerDetailsForm,
  type CustomerDetails,
  type ShippingAddress,
  type TaxLocation,
} from '#contract/customer-details.ts';
import type { Gift } from '#contract/gift-forms.ts';
import type { OrderView } from '#contract/orders.ts';
import { isShipped } from '../data/cart.ts';
import { storeInSessionStorage, readFromSessionStorage } from '../data/tab-memory.ts';
import { useHydrated } from '../ui/use-hydrated.ts';

/** The session storage key of the customer details between the two steps (specification 1, Checkout details). */
const key = 'customerDetails';
/** The session storage key of the draft: the unsubmitted input of step 1, which may be incomplete or invalid. */
const draftKey = 'customerDetailsDraft';

export function storeDetails(details: CustomerDetails) {
  storeInSessionStorage(
    key,
    JSON.stringify(details, (_, value: unknown) => (value === '' ? undefined : value)),
  );
  storeInSessionStorage(draftKey, null);
}

export const storeDraft = (typed: DetailsDraft) => storeInSessionStorage(draftKey, JSON.stringify(typed));

const personFields = ['firstName', 'lastName', 'email', 'phone'] as const;
/** The address fields that are cleared for another person. The country is not cleared. */
export const addressFields = ['line1', 'line2', 'city', 'state', 'postalCode'] as const;

/**
 * Adds values that a visitor typed before hydration to the stored values, which the form shows after hydration. Before
 * hydration, the form shows the values of `begun`, because it cannot read this tab's storage yet. If the stored details
 * contain a gift, a typed address is ignored: before hydration the form asks for the buyer's address, and the stored
 * address is the recipient's.
 */
export function storeTypedDetails(values: DetailsDraft, begun: DetailsDraft): void {
  const knownDraft: DetailsDraft | undefined =
    readDraft(readFromSessionStorage(draftKey)) ?? readDetails(readFromSessionStorage(key));
  const person = pickChangedFields(personFields, values, begun);
  const address = knownDraft?.gift ? {} : pickChangedFields(addressFields, values.address, begun.address);
  const hasFields = (texts: object) => Object.keys(texts).length > 0;
  if (knownDraft && (hasFields(person) || hasFields(address)))
    storeDraft({
      ...knownDraft,
      ...person,
      ...(hasFields(address) && { address: { ...knownDraft.address, ...address } }),
    });
}

function pickChangedFields<Field extends string>(
  fields: readonly Field[],
  values: { [key in Field]?: string | undefined } = {},
  begun: { [key in Field]?: string | undefined } = {},
): { [key in Field]?: string } {
  const changedFields = fields.filter((field) => values[field] && values[field] !== begun[field]);
  return Object.fromEntries(changedFields.map((field) => [field, values[field]])) as { [key in Field]?: string };
}

/** Call this after the payment: the stored details are no longer needed. */
export function deleteStoredDetails() {
  storeInSessionStorage(key, null);
  storeInSessionStorage(draftKey, null);
}

/**
 * Returns the stored details if they are valid. Fields that this cart needs may still be missing: see
 * selectDetailsForCart.
 */
export function readDetails(stored: string | null): CustomerDetails | undefined {
  try {
    return CustomerDetailsForm.safeParse(JSON.parse(stored ?? 'null')).data;
  } catch {
    return undefined;
  }
}

/**
 * Returns the details that this cart needs, or undefined if some are missing. A frame needs a shipping address. The
 * byof service only needs the place that sales tax depends on.
 */
export function selectDetailsForCart(
  cart: Cart,
  stored: CustomerDetails | undefined,
  collectsTax: boolean,
): CustomerDetails | undefined {
  if (!stored) return;
  const { firstName, lastName, email, phone, address, gift } = stored;
  const person = { firstName, lastName, email, ...(phone && { phone }) };
  if (isShipped(cart)) return address && { ...person, address, ...(gift && { gift }) };
  if (!collectsTax) return person;
  const taxLocation = taxLocationOf(stored);
  return taxLocation && { ...person, taxLocation };
}

/** The place for sales tax: the one that the buyer entered, otherwise the buyer's address (not a gift recipient's). */
export function taxLocationOf<Details extends CustomerDetails | DetailsDraft>({ taxLocation, address, gift }: Details) {
  const ownAddress = gift ? undefined : address;
  return (taxLocation ?? (ownAddress && { country: ownAddress.country, postalCode: ownAddress.postalCode })) as
    | Details['taxLocation']
    | undefined;
}

/** The buyer's details for the bank. The address of a gift is omitted, because it is the recipient's address. */
export const withoutGiftAddress = ({ gift, address, ...buyer }: CustomerDetails): CustomerDetails =>
  gift || !address ? buyer : { ...buyer, address };

/** The buyer of an order. The shipping address is included, unless the order was a gift. */
export function createDetailsFromOrder(
  order: Pick<OrderView, 'customerFirstName' | 'customerLastName' | 'email' | 'shippingAddress' | 'gift'>,
): CustomerDetails | undefined {
  const { customerFirstName: firstName, customerLastName: lastName, email, shippingAddress, gift } = order;
  const address = gift ? null : shippingAddress;
  const person = { firstName, lastName, email };
  return CustomerDetailsForm.safeParse(address ? { ...person, address } : person).data;
}

type Texts<T> = { [Field in keyof T]?: string | undefined };
/** The fields of the form in step 1 that have a value. They may be invalid. */
export type DetailsDraft = Texts<Omit<CustomerDetails, 'address' | 'taxLocation' | 'gift'>> & {
  address?: Texts<ShippingAddress> | undefined;
  taxLocation?: Texts<TaxLocation> | undefined;
  gift?: Texts<Gift> | undefined;
};

/** Reads a stored draft. Keeps only fields that are strings. */
export function readDraft(stored: string | null): DetailsDraft | undefined {
  try {
    const { address, taxLocation, gift, ...person } = JSON.parse(stored ?? 'null') as DetailsDraft;
    return {
      ...pickTexts(person),
      ...(address && { address: pickTexts(address) }),
      ...(taxLocation && { taxLocation: pickTexts(taxLocation) }),
      ...(gift && { gift: pickTexts(gift) }),
    };
  } catch {
    return undefined;
  }
}

const pickTexts = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'));

/**
 * The details that were stored when the page opened. Null if there are none. Undefined before hydration, because the
 * server cannot read session storage.
 */
export const useStoredDetails = (): CustomerDetails | null | undefined => useStored(key, readDetails);
export const useDetailsDraft = (): DetailsDraft | null | undefined => useStored(draftKey, readDraft);

function useStored<T>(key: string, read: (text: string | null) => T | undefined): T | null | undefined {
  const hydrated = useHydrated();
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- key and read are the same on each render
  return useMemo(() => (hydrated ? (read(readFromSessionStorage(key)) ?? null) : undefined), [hydrated]);
}
