import { lazy, type Ref, Suspense, useState } from 'react';
import { addressFormats, type Country } from '#contract/addresses.ts';
import type { CustomerDetails } from '#contract/customer-details.ts';
import type { ApiResponseBody } from '../../data/api.ts';
import { Checkbox } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import { LazyBoundary } from '../../ui/lazy-boundary.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import { OrByCard } from './or-by-card.tsx';
import { SandboxCardForm } from './sandbox-card-form.tsx';

/** The parts of an intent that the browser needs to confirm it with the provider. */
export type PayableIntent = Pick<
  ApiResponseBody<'POST /api/create-payment-intent'>,
  'clientSecret' | 'paymentIntentId' | 'provider' | 'publishableKey'
>;

/** The buyer's details. They are sent to the provider with the card. */
export type BillingDetails = CustomerDetails;

/** Where the buyer lives, as far as it is known. */
export interface BuyerLocation {
  country: Country;
  postalCode?: string | undefined;
}

/** The result of a payment attempt. */
export type PaymentAttemptResult =
  | { outcome: 'succeeded' }
  | { outcome: 'processing' }
  /** The browser is loading the bank's page. */
  | { outcome: 'leaving' }
  /** Nothing was sent: the form shows what is missing. */
  | { outcome: 'incomplete' }
  /** The provider declined the payment. `words` is the provider's message. */
  | { outcome: 'refused'; words: string }
  /** The intent was canceled, because checkout was opened again in another window. */
  | { outcome: 'replaced' }
  | { outcome: 'unfinished' };

export interface CardFormHandle {
  /** Rejects if the provider cannot be reached. A retry is safe, because an intent is paid only once. */
  confirm(request: {
    intent: PayableIntent;
    billing: BillingDetails;
    returnUrl: string;
  }): Promise<PaymentAttemptResult>;
}

const StripeCardForm = lazy(() => import('./stripe-card-form.tsx'));
const SandboxPayButton = lazy(() => import('./sandbox-pay-button.tsx'));

interface Props {
  ref: Ref<CardFormHandle>;
  provider: PayableIntent['provider'];
  intent: PayableIntent | undefined;
  place: BuyerLocation;
  /** Pays with a wallet. If given, the wallets' buttons are above the fields. */
  wallets?: { totalCents: number | undefined; onPay: (wallet: CardFormHandle) => Promise<void> } | undefined;
}

/**
 * The card form: the sandbox's fields, or Stripe's. `intent` is undefined while the intent is replaced. The sandbox
 * form keeps its input during that time. If the buyer's postal code is known, the form asks for it only if the card has
 * another billing address.
 */
export function CardForm({ place, ...rest }: Props) {
  const { country, postalCode } = place;
  const [goesElsewhere, setGoesElsewhere] = useState(false);
  if (postalCode === undefined) return <ProviderFields {...rest} country={country} asksPostalCode />;
  return (
    <>
      <ProviderFields {...rest} country={country} asksPostalCode={goesElsewhere} />
      <Checkbox
        className="mt-5"
        label={`My card’s billing ${addressFormats[country].postalLabel} is also ${postalCode}`}
        checked={!goesElsewhere}
        onChange={({ target }) => setGoesElsewhere(!target.checked)}
      />
    </>
  );
}

interface FieldsProps extends Omit<Props, 'place'> {
  country: Country;
  asksPostalCode: boolean;
}

function ProviderFields({ ref, provider, intent, country, asksPostalCode, wallets }: FieldsProps) {
  const isHydrated = useHydrated();
  if (provider === 'sandbox')
    return (
      <>
        {wallets && !isHydrated && <Skeleton className="h-14 w-full" />}
        {wallets && isHydrated && (
          <LazyBoundary waiting={<Skeleton className="h-14 w-full" />} instead={null}>
            <SandboxPayButton totalCents={intent && wallets.totalCents} onPay={wallets.onPay} />
          </LazyBoundary>
        )}
        {wallets && <OrByCard />}
        <SandboxCardForm {...{ ref, country, asksPostalCode }} />
      </>
    );
  const loadingSkeleton = <Skeleton className="h-72 w-full" />;
  if (!intent) return loadingSkeleton;
  return (
    <Suspense fallback={loadingSkeleton}>
      <StripeCardForm key={intent.clientSecret} {...{ ref, intent, asksPostalCode }} onWallet={wallets?.onPay} />
    </Suspense>
  );
}
