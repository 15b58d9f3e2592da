import { lazy, type Ref, Suspense } from 'react';
import type { CustomerDetails } from '#contract/customer-details.ts';
import type { Answer } from '../../data/api.ts';
import { Skeleton } from '../../ui/surfaces.tsx';
import { SandboxCardForm } from './sandbox-card-form.tsx';

/** An intent as the shop hands it to the browser: what is confirmed, and with whom. */
export type PayableIntent = Pick<
  Answer<'POST /api/create-payment-intent'>,
  'clientSecret' | 'paymentIntentId' | 'provider' | 'publishableKey'
>;

/** Who pays; sent to the provider with the card. */
export type Billing = CustomerDetails;

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

/**
 * Where the card is entered: the sandbox's own fields, or Stripe's. What was typed into the sandbox's form stays while
 * the intent is replaced; `intent` is undefined meanwhile.
 */
export function CardForm(props: {
  ref: Ref<CardFormHandle>;
  provider: PayableIntent['provider'];
  intent: PayableIntent | undefined;
  country: string;
}) {
  const { ref, provider, intent, country } = props;
  if (provider === 'sandbox') return <SandboxCardForm ref={ref} country={country} />;
  const waiting = <Skeleton className="h-72 w-full" />;
  if (!intent) return waiting;
  return (
    <Suspense fallback={waiting}>
      <StripeCardForm key={intent.clientSecret} ref={ref} intent={intent} />
    </Suspense>
  );
}
