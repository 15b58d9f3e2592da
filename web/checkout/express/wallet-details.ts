import { addressFormats, type Country } from '#contract/addresses.ts';
import { type CustomerDetails, detailsForms } from '#contract/customer-details.ts';
import type { WalletAddress } from '../card-form/wallet-address.ts';
import type { DetailsDraft } from '../stored-details.ts';

/** What a wallet gives when the buyer confirms. */
export interface GivenByWallet {
  name?: string | null | undefined;
  email?: string | null | undefined;
  /** Undefined if the order is not shipped. */
  address?: WalletAddress | undefined;
}

/** The buyer's details from a wallet, or the fields that are missing, by their labels on the details page. */
export type WalletDetails = { details: CustomerDetails } | { draft: DetailsDraft; missing: string[] };

/** Checks a wallet's data with the same rules as the form of the details page. */
export function readWalletDetails(given: GivenByWallet, { isShipped }: { isShipped: boolean }): WalletDetails {
  const country = toCountry(given.address?.country);
  const draft = createDraft(given, isShipped ? (country ?? 'US') : undefined);
  const form = isShipped ? detailsForms[country ?? 'US'] : detailsForms.digital;
  const parseResult = form.safeParse(draft);
  if (parseResult.success && (country || !isShipped)) return { details: parseResult.data };
  const labels = createFieldLabels(country ?? 'US');
  const wrongLabels = new Set((parseResult.error?.issues ?? []).map(({ path }) => labels[String(path.at(-1))]));
  if (isShipped && !country) wrongLabels.add('An address in the United States or Canada');
  return { draft, missing: [...wrongLabels].filter((it) => it !== undefined) };
}

function createDraft({ name, email, address }: GivenByWallet, country: Country | undefined): DetailsDraft {
  const [firstName, ...rest] = (name ?? '').trim().split(/\s+/);
  const person = { firstName: firstName ?? '', lastName: rest.join(' '), email: email?.trim() ?? '' };
  if (!country) return person;
  return {
    ...person,
    address: {
      line1: address?.line1 ?? '',
      line2: address?.line2 ?? '',
      city: address?.city ?? '',
      state: findRegionCode(country, address?.state),
      postalCode: address?.postal_code ?? '',
      country,
    },
  };
}

/** The country of a wallet's address, if the shop ships there. */
export const toCountry = (code: string | null | undefined): Country | undefined =>
  code === 'US' || code === 'CA' ? code : undefined;

/** Wallets give a state as its code or as its name. Empty if it is neither. */
export function findRegionCode(country: Country, state: string | null | undefined): string {
  const text = (state ?? '').trim().toLowerCase();
  const knownRegion = addressFormats[country].regions.find(
    ({ value, label }) => value.toLowerCase() === text || label.toLowerCase() === text,
  );
  return knownRegion?.value ?? '';
}

const createFieldLabels = (country: Country): Record<string, string> => ({
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  line1: 'Address',
  line2: 'Apartment, suite, etc.',
  city: 'City',
  state: addressFormats[country].regionLabel,
  postalCode: addressFormats[country].postalLabel,
});
