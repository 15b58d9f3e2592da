import { useHydrated } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Cart } from '#contract/catalog.ts';
import { CustomerDetailsForm, type CustomerDetails, type TaxLocation } from '#contract/customer-details.ts';
import type { OrderView } from '#contract/orders.ts';
import { isShipped } from '../data/cart.ts';

/** Customer details between the two steps (specification 1, Checkout details): this tab's session storage. */
const key = 'customerDetails';

export function storeDetails(details: CustomerDetails) {
  text = JSON.stringify(details, (_, value: unknown) => (value === '' ? undefined : value));
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Storage is switched off or full: the details last until this page is reloaded.
  }
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
  const { firstName, lastName, email, phone, address } = stored;
  const person = { firstName, lastName, email, ...(phone && { phone }) };
  if (isShipped(cart)) return address && { ...person, address };
  if (!collectsTax) return person;
  const taxLocation = taxLocationOf(stored);
  return taxLocation && { ...person, taxLocation };
}

/** Where the buyer said to live, else where a frame was to be sent. */
export function taxLocationOf({ taxLocation, address }: CustomerDetails): TaxLocation | undefined {
  return taxLocation ?? (address && { country: address.country, postalCode: address.postalCode });
}

/** Who bought an order, and where it went. */
export function detailsOf(
  order: Pick<OrderView, 'customerFirstName' | 'customerLastName' | 'email' | 'shippingAddress'>,
): CustomerDetails | undefined {
  const { customerFirstName: firstName, customerLastName: lastName, email, shippingAddress: address } = order;
  const person = { firstName, lastName, email };
  return CustomerDetailsForm.safeParse(address ? { ...person, address } : person).data;
}

/** What this tab knew when the page opened. Undefined while the server renders: it has no session storage to look into. */
export function useStoredDetails(): CustomerDetails | null | undefined {
  const hydrated = useHydrated();
  return useMemo(() => (hydrated ? (readDetails(storedText()) ?? null) : undefined), [hydrated]);
}

/** Kept beside the storage for browsers that refuse it. */
let text: string | null = null;
function storedText(): string | null {
  try {
    return sessionStorage.getItem(key) ?? text;
  } catch {
    return text;
  }
}
