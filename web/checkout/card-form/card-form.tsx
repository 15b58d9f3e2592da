import { lazy, type Ref, Suspense, useState } from 'react';
import { addressStyles, type Country } from '#contract/addresses.ts';
import type { CustomerDetails } from '#contract/customer-details.ts';
import type { Answer } from '../../data/api.ts';
import { Checkbox } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import { SandboxCardForm } from './sandbox-card-form.tsx';

/** An intent as the shop hands it to the browser: what is confirmed, and with whom. */
export type PayableIntent = Pick<
  Answer<'POST /api/create-payment-intent'>,
  'clientSecret' | 'paymentIntentId' | 'provider' | 'publishableKey'
>;

/** Who pays; sent to the provider with the card. */
export type Billing = CustomerDetails;

/** Where the buyer lives, as far as they have said. */
export interface BuyersPlace {
  country: Country;
  postalCode?: string | undefined;
}

/** How an attempt at paying went. */
export type Confirmed =
  | { outcome: 'succeeded' }
  | { outcome: 'processing' }
  /** The browser is on its way to the bank's page. */
  | { outcome: 'leaving' }
  /** Nothing was sent: the form shows what is missing. */
  | { outcome: 'incomplete' }
  /** The provider's no, in its words. */
  | { outcome: 'refused'; words: string }
  /** The intent was cancelled, because the checkout was opened again elsewhere. */
  | { outcome: 'replaced' }
  | { outcome: 'unfinished' };

export interface CardFormHandle {
  /** Rejects when the provider could not be reached; asking again is safe, an intent is paid once. */
  confirm(request: { intent: PayableIntent; billing: Billing; returnUrl: string }): Promise<Confirmed>;
}

const StripeCardForm = lazy(() => import('./stripe-card-form.tsx'));

interface Props {
  ref: Ref<CardFormHandle>;
  provider: PayableIntent['provider'];
  intent: PayableIntent | undefined;
  place: BuyersPlace;
}

/**
 * Where the card is entered: the sandbox's own fields, or Stripe's. What was typed into the sandbox's form stays while
 * the intent is replaced; `intent` is undefined meanwhile. A postal code that is known is not asked for again, unless
 * the card's bill goes elsewhere.
 */
export function CardForm({ place, ...rest }: Props) {
  const { country, postalCode } = place;
  const [goesElsewhere, setGoesElsewhere] = useState(false);
  if (postalCode === undefined) return <Fields {...rest} country={country} asksPostalCode />;
  return (
    <>
      <Fields {...rest} country={country} asksPostalCode={goesElsewhere} />
      <Checkbox
        className="mt-5"
        label={`My card’s billing ${addressStyles[country].postalLabel} is also ${postalCode}`}
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

function Fields({ ref, provider, intent, country, asksPostalCode }: FieldsProps) {
  if (provider === 'sandbox') return <SandboxCardForm {...{ ref, country, asksPostalCode }} />;
  const waiting = <Skeleton className="h-72 w-full" />;
  if (!intent) return waiting;
  return (
    <Suspense fallback={waiting}>
      <StripeCardForm key={intent.clientSecret} {...{ ref, intent, asksPostalCode }} />
    </Suspense>
  );
}
