/** Values that several of Stripe's objects have in common. */
import type { Stripe } from 'stripe';
import type { AddressInput } from './parameters.ts';

/** Merges metadata: sets the given names, removes names with an empty value, and keeps all others. */
export function mergeMetadata(metadata: Stripe.Metadata, given: Record<string, string> | undefined): Stripe.Metadata {
  return Object.fromEntries(Object.entries({ ...metadata, ...given }).filter(([, value]) => value !== ''));
}

/** Returns an address with all fields. Fields that are not given are null. */
export function toStripeAddress(given: AddressInput | undefined): Stripe.Address {
  return {
    city: given?.city ?? null,
    country: given?.country ?? null,
    line1: given?.line1 ?? null,
    line2: given?.line2 ?? null,
    postal_code: given?.postal_code ?? null,
    state: given?.state ?? null,
  };
}
