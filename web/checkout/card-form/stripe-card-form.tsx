import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Appearance, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { type Ref, useEffect, useImperativeHandle, useState } from 'react';
import { Notice, Skeleton } from '../../ui/surfaces.tsx';
import type { CardFormHandle, PayableIntent } from './card-form.tsx';
import { billingDetails } from './stripe-billing.ts';
import { outcomeOf, refusalOf } from './stripe-outcome.ts';

interface FieldsProps {
  ref: Ref<CardFormHandle>;
  /** Whether the form asks for the card's postal code and country. If not, those of the buyer's address are used. */
  asksPostalCode: boolean;
}

/** Stripe's Payment Element: cards, wallets and all methods that the owner has enabled at Stripe. */
export default function StripeCardForm({ intent, ...fields }: FieldsProps & { intent: PayableIntent }) {
  const { clientSecret, publishableKey } = intent;
  const [stripe, setStripe] = useState<Stripe | null>();
  useEffect(() => {
    let isHere = true;
    const show = (loaded: Stripe | null) => isHere && setStripe(loaded);
    stripeFor(publishableKey ?? '').then(show, () => show(null));
    return () => {
      isHere = false;
    };
  }, [publishableKey]);

  if (stripe === undefined) return <Skeleton className="h-72 w-full" />;
  if (stripe === null) {
    return (
      <Notice tone="bad" title="The card form could not be loaded">
        Please check your connection, or whether something in your browser blocks js.stripe.com, and reload the page.
      </Notice>
    );
  }
  return (
    <Elements stripe={stripe} options={{ clientSecret, appearance, loader: 'auto' }}>
      <Fields {...fields} />
    </Elements>
  );
}

function Fields({ ref, asksPostalCode }: FieldsProps) {
  const stripe = useStripe();
  const elements = useElements();
  useImperativeHandle(ref, () => ({
    async confirm({ billing, returnUrl }) {
      if (!stripe || !elements) return { outcome: 'incomplete' };
      const confirmParams = {
        return_url: returnUrl,
        payment_method_data: { billing_details: billingDetails(billing, { asksPostalCode }) },
      };
      const { error, paymentIntent } = await stripe.confirmPayment({
        elements,
        confirmParams,
        redirect: 'if_required',
      });
      return error ? refusalOf(error) : outcomeOf(paymentIntent);
    },
  }));
  const visibility = asksPostalCode ? 'auto' : 'never';
  const address = { country: visibility, postalCode: visibility } as const;
  return (
    <div className="min-h-72">
      <PaymentElement
        options={{ layout: 'tabs', fields: { billingDetails: { name: 'never', email: 'never', address } } }}
      />
    </div>
  );
}

/** Stripe's script by publishable key. It is loaded only once, when the first card form is shown. */
const loading = new Map<string, Promise<Stripe | null>>();
function stripeFor(key: string): Promise<Stripe | null> {
  const known = loading.get(key);
  if (known) return known;
  const started = loadStripe(key);
  started.catch(() => loading.delete(key));
  loading.set(key, started);
  return started;
}

/** The colors of styles.css, for the form in Stripe's iframe. */
const appearance: Appearance = {
  theme: 'stripe',
  variables: {
    colorPrimary: '#b4532a',
    colorBackground: '#fffdf9',
    colorText: '#2b2420',
    colorTextSecondary: '#685b51',
    colorDanger: '#a3262a',
    borderRadius: '10px',
    fontSizeBase: '17px',
    spacingUnit: '5px',
  },
  rules: { '.Input': { borderColor: '#8c7d6f', boxShadow: 'none' } },
};
