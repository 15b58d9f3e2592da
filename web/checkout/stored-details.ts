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
import { keepInTab, keptInTab } from '../data/tab-memory.ts';
import { useHydrated } from '../ui/use-hydrated.ts';

/** Customer details between the two steps (specification 1, Checkout details): this tab's session storage. */
const key = 'customerDetails';
/** What stands in the form of the first step and was not sent on: whole or not, right or wrong. */
const draftKey = 'customerDetailsDraft';

export function storeDetails(details: CustomerDetails) {
  keepInTab(
    key,
    JSON.stringify(details, (_, value: unknown) => (value === '' ? undefined : value)),
  );
  keepInTab(draftKey, null);
}

export const storeDraft = (typed: DetailsDraft) => keepInTab(draftKey, JSON.stringify(typed));

const personFields = ['firstName', 'lastName', 'email', 'phone'] as const;
/** What of an address says whose it is; the country stays. */
export const addressFields = ['line1', 'line2', 'city', 'state', 'postalCode'] as const;

/**
 * A quick visitor types before the page is awake, in a form that knows nothing of this tab yet and began with `begun`: what
 * they typed is added to what the tab knows, which the form shows next. The address of a gift is somebody else's than that
 * of a form which knows of no gift.
 */
export function addTyped(values: DetailsDraft, begun: DetailsDraft): void {
  const known: DetailsDraft | undefined = readDraft(keptInTab(draftKey)) ?? readDetails(keptInTab(key));
  const person = typedOf(personFields, values, begun);
  const address = known?.gift ? {} : typedOf(addressFields, values.address, begun.address);
  const isTyped = (texts: object) => Object.keys(texts).length > 0;
  if (known && (isTyped(person) || isTyped(address)))
    storeDraft({ ...known, ...person, ...(isTyped(address) && { address: { ...known.address, ...address } }) });
}

function typedOf<Field extends string>(
  fields: readonly Field[],
  values: { [key in Field]?: string | undefined } = {},
  begun: { [key in Field]?: string | undefined } = {},
): { [key in Field]?: string } {
  const typed = fields.filter((field) => values[field] && values[field] !== begun[field]);
  return Object.fromEntries(typed.map((field) => [field, values[field]])) as { [key in Field]?: string };
}

/** What is paid asks for them no more. */
export function forgetDetails() {
  keepInTab(key, null);
  keepInTab(draftKey, null);
}

/** What was stored, as far as it holds; what the step needs may still be missing from it. */
export function readDetails(stored: string | null): CustomerDetails | undefined {
  try {
    return CustomerDetailsForm.safeParse(JSON.parse(stored ?? 'null')).data;
  } catch {
    return undefined;
  }
}

/**
 * The details this cart can be bought with: a parcel needs an address, the service has no use for more of one than
 * sales tax depends on.
 */
export function detailsFor(
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

/** Where the buyer said to live, else where a frame was to be sent, unless to somebody else. */
export function taxLocationOf<Details extends CustomerDetails | DetailsDraft>({ taxLocation, address, gift }: Details) {
  const own = gift ? undefined : address;
  return (taxLocation ?? (own && { country: own.country, postalCode: own.postalCode })) as
    | Details['taxLocation']
    | undefined;
}

/** Who pays, as the bank knows them: a gift's address is somebody else's. */
export const billingOf = ({ gift, address, ...buyer }: CustomerDetails): CustomerDetails =>
  gift || !address ? buyer : { ...buyer, address };

/** Who bought an order, and where they live, as far as it went there. */
export function detailsOf(
  order: Pick<OrderView, 'customerFirstName' | 'customerLastName' | 'email' | 'shippingAddress' | 'gift'>,
): CustomerDetails | undefined {
  const { customerFirstName: firstName, customerLastName: lastName, email, shippingAddress, gift } = order;
  const address = gift ? null : shippingAddress;
  const person = { firstName, lastName, email };
  return CustomerDetailsForm.safeParse(address ? { ...person, address } : person).data;
}

type Texts<T> = { [Field in keyof T]?: string | undefined };
/** The fields of the form as far as they are filled in. */
export type DetailsDraft = Texts<Omit<CustomerDetails, 'address' | 'taxLocation' | 'gift'>> & {
  address?: Texts<ShippingAddress> | undefined;
  taxLocation?: Texts<TaxLocation> | undefined;
  gift?: Texts<Gift> | undefined;
};

/** A draft as it was stored: of its fields, those that are texts. */
export function readDraft(stored: string | null): DetailsDraft | undefined {
  try {
    const { address, taxLocation, gift, ...person } = JSON.parse(stored ?? 'null') as DetailsDraft;
    return {
      ...textsOf(person),
      ...(address && { address: textsOf(address) }),
      ...(taxLocation && { taxLocation: textsOf(taxLocation) }),
      ...(gift && { gift: textsOf(gift) }),
    };
  } catch {
    return undefined;
  }
}

const textsOf = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'));

/** What this tab knew when the page opened. Undefined while the server renders: it has no session storage to look into. */
export const useStoredDetails = (): CustomerDetails | null | undefined => useStored(key, readDetails);
export const useDetailsDraft = (): DetailsDraft | null | undefined => useStored(draftKey, readDraft);

function useStored<T>(key: string, read: (text: string | null) => T | undefined): T | null | undefined {
  const hydrated = useHydrated();
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the same two at each rendering
  return useMemo(() => (hydrated ? (read(keptInTab(key)) ?? null) : undefined), [hydrated]);
}
