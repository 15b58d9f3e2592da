import { ExpressCheckoutElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { useState } from 'react';
import type { CardFormHandle } from './card-form.tsx';
import { toPaymentResult, convertStripeError } from './stripe-outcome.ts';
import { joinClassNames } from '../../ui/classes.ts';
import { buttonStyle, hasWallet } from './stripe-express-options.ts';
import { OrByCard } from './or-by-card.tsx';

interface Props {
  onPay: (wallet: CardFormHandle) => Promise<void>;
  /** Whether the browser has a wallet that can pay. */
  onAvailable: (isAvailable: boolean) => void;
}

/**
 * Stripe's Express Checkout Element above the card form, for the same intent. The buyer has entered the details and the
 * intent has the address, so the wallet asks for neither: Stripe refuses a second address.
 */
export function StripePayButtons({ onPay, onAvailable }: Props) {
  const stripe = useStripe();
  const elements = useElements();
  const [isShown, setShown] = useState(false);
  const showButtons = (isAvailable: boolean) => {
    setShown(isAvailable);
    onAvailable(isAvailable);
  };
  return (
    <div className={joinClassNames(!isShown && 'invisible h-0 overflow-hidden')}>
      <ExpressCheckoutElement
        options={{
          ...buttonStyle,
          emailRequired: false,
          billingAddressRequired: false,
          shippingAddressRequired: false,
        }}
        onReady={({ availablePaymentMethods }) => showButtons(hasWallet(availablePaymentMethods))}
        onLoadError={() => showButtons(false)}
        onClick={({ resolve }) => resolve()}
        onConfirm={async ({ paymentFailed }) => {
          let isPaid = false;
          await onPay({
            async confirm({ returnUrl }) {
              if (!stripe || !elements) return { outcome: 'unfinished' };
              const { error, paymentIntent } = await stripe.confirmPayment({
                elements,
                confirmParams: { return_url: returnUrl },
                redirect: 'if_required',
              });
              isPaid = !error;
              return error ? convertStripeError(error) : toPaymentResult(paymentIntent);
            },
          });
          if (!isPaid) paymentFailed();
        }}
      />
      <OrByCard />
    </div>
  );
}
