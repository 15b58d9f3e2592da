import { Elements, ExpressCheckoutElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { useEffect } from 'react';
import { paths } from '../../paths.ts';
import { appearance, useStripeScript } from '../card-form/stripe-script.ts';
import { toPaymentResult, convertStripeError } from '../card-form/stripe-outcome.ts';
import { type ExpressButtonsProps, walletLines } from './express-protocol.ts';
import { hasWallet, buttonStyle } from '../card-form/stripe-express-options.ts';

/**
 * Stripe's Express Checkout Element, before there is an intent. The intent is created when the buyer confirms, so the
 * element gets the amount, and a new one for each address.
 */
export default function StripeButtons(props: ExpressButtonsProps) {
  const { price, onAvailable } = props;
  const stripe = useStripeScript(price.publishableKey ?? '');
  useEffect(() => {
    if (stripe === null) onAvailable(false);
  }, [stripe, onAvailable]);
  if (!stripe) return null;
  return (
    <Elements
      stripe={stripe}
      options={{
        mode: 'payment',
        amount: price.totalAmount,
        currency: 'usd',
        // Stripe refuses an intent whose capture method differs from the element's.
        ...(price.isCapturedLater && { captureMethod: 'manual' as const }),
        appearance,
      }}
    >
      <Buttons {...props} />
    </Elements>
  );
}

const shippingRates = [{ id: 'free', displayName: 'Free shipping', amount: 0 }];

function Buttons({ price, isShipped, onOpen, onAddress, onCancel, onConfirm, onAvailable }: ExpressButtonsProps) {
  const stripe = useStripe();
  const elements = useElements();
  return (
    <ExpressCheckoutElement
      options={{
        ...buttonStyle,
        emailRequired: true,
        billingAddressRequired: !isShipped,
        shippingAddressRequired: isShipped,
        ...(isShipped && { allowedShippingCountries: ['US', 'CA'], shippingRates }),
      }}
      onReady={({ availablePaymentMethods }) => onAvailable(hasWallet(availablePaymentMethods))}
      onAvailablePaymentMethodsChange={({ paymentMethods }) => {
        if (Object.values(paymentMethods ?? {}).some((it) => it?.available)) onAvailable(true);
      }}
      onLoadError={() => onAvailable(false)}
      onClick={(event) => {
        if (!onOpen()) return event.reject();
        event.resolve({ lineItems: walletLines(price), ...(isShipped && { shippingRates }) });
      }}
      onShippingAddressChange={async ({ address, resolve, reject }) => {
        const pricedCart = await onAddress(address);
        if (!pricedCart) return reject();
        await elements?.update({ amount: pricedCart.totalAmount });
        resolve({ lineItems: walletLines(pricedCart), shippingRates });
      }}
      onCancel={() => {
        void elements?.update({ amount: price.totalAmount });
        onCancel();
      }}
      onConfirm={async ({ billingDetails, shippingAddress, paymentFailed }) => {
        const givenByWallet = {
          name: (isShipped && shippingAddress?.name) || billingDetails?.name,
          email: billingDetails?.email,
          ...(isShipped && { address: shippingAddress?.address }),
        };
        await onConfirm(givenByWallet, {
          fail: (reason) => paymentFailed({ reason: reason === 'address' ? 'invalid_shipping_address' : 'fail' }),
          async confirm({ clientSecret }) {
            if (!stripe || !elements) return { outcome: 'unfinished' };
            const submitResult = await elements.submit();
            if (submitResult.error)
              return { outcome: 'refused', words: submitResult.error.message ?? 'The wallet did not pay.' };
            const { error, paymentIntent } = await stripe.confirmPayment({
              elements,
              clientSecret,
              confirmParams: { return_url: new URL(paths.paymentSuccess, location.origin).href },
              redirect: 'if_required',
            });
            return error ? convertStripeError(error) : toPaymentResult(paymentIntent);
          },
        });
      }}
    />
  );
}
