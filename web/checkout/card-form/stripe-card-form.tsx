import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type Ref, useImperativeHandle, useState } from 'react';
import { Notice, Skeleton } from '../../ui/surfaces.tsx';
import type { CardFormHandle, PayableIntent } from './card-form.tsx';
import { StripePayButtons } from './stripe-pay-buttons.tsx';
import { toStripeBillingDetails } from './stripe-billing.ts';
import { toPaymentResult, convertStripeError } from './stripe-outcome.ts';
import { appearance, useStripeScript } from './stripe-script.ts';

interface FieldsProps {
  ref: Ref<CardFormHandle>;
  /** Whether the form asks for the card's postal code and country. If not, those of the buyer's address are used. */
  asksPostalCode: boolean;
  /** If given, the wallets' buttons are above the fields. */
  onWallet?: ((wallet: CardFormHandle) => Promise<void>) | undefined;
}

/** Stripe's Payment Element: cards, wallets and all methods that the owner has enabled at Stripe. */
export default function StripeCardForm({ intent, ...fields }: FieldsProps & { intent: PayableIntent }) {
  const { clientSecret, publishableKey } = intent;
  const stripe = useStripeScript(publishableKey ?? '');
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

function Fields({ ref, asksPostalCode, onWallet }: FieldsProps) {
  const [hasWallets, setHasWallets] = useState(false);
  const stripe = useStripe();
  const elements = useElements();
  useImperativeHandle(ref, () => ({
    async confirm({ billing, returnUrl }) {
      if (!stripe || !elements) return { outcome: 'incomplete' };
      const confirmParams = {
        return_url: returnUrl,
        payment_method_data: { billing_details: toStripeBillingDetails(billing, { asksPostalCode }) },
      };
      const { error, paymentIntent } = await stripe.confirmPayment({
        elements,
        confirmParams,
        redirect: 'if_required',
      });
      return error ? convertStripeError(error) : toPaymentResult(paymentIntent);
    },
  }));
  const visibility = asksPostalCode ? 'auto' : 'never';
  const address = { country: visibility, postalCode: visibility } as const;
  return (
    <>
      {onWallet && <StripePayButtons onPay={onWallet} onAvailable={setHasWallets} />}
      <div className="min-h-72">
        <PaymentElement
          options={{
            layout: 'tabs',
            fields: { billingDetails: { name: 'never', email: 'never', address } },
            // The wallets above are not shown twice.
            ...(hasWallets && { wallets: { applePay: 'never', googlePay: 'never' } }),
          }}
        />
      </div>
    </>
  );
}
