import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import type { Cart } from '#contract/catalog.ts';
import { send } from '../../data/api.ts';
import { isShipped } from '../../data/cart.ts';
import { joinClassNames } from '../../ui/classes.ts';
import { LazyBoundary } from '../../ui/lazy-boundary.tsx';
import { type IncompleteWallet, useExpressCheckout } from './use-express-checkout.ts';

const StripeButtons = lazy(() => import('./stripe-buttons.tsx'));
const SandboxButton = lazy(() => import('./sandbox-button.tsx'));

interface Props {
  cart: Cart;
  promoCode: string | undefined;
  onIncomplete: (wallet: IncompleteWallet) => void;
}

/**
 * Apple Pay, Google Pay, Link and PayPal above the form of the details page. The wallet gives the address. Renders
 * nothing if the browser has no wallet that can pay, or if the cart cannot be bought now.
 */
export default function ExpressCheckout({ cart, promoCode, onIncomplete }: Props) {
  const [isAvailable, setAvailable] = useState(false);
  const { data: price } = useQuery({
    queryKey: ['/api', 'price-cart', cart, promoCode],
    queryFn: () => send('POST /api/price-cart', { body: { ...cart, ...(promoCode !== undefined && { promoCode }) } }),
    placeholderData: (before) => before,
  });
  const handlers = useExpressCheckout({ cart, promoCode, price, onIncomplete });
  // The wallet gives no address for an order by email before the buyer confirms, so it could not show the tax.
  if (!price || (!isShipped(cart) && price.taxAmount === undefined)) return null;
  const Buttons = price.provider === 'stripe' ? StripeButtons : SandboxButton;
  return (
    <section
      aria-label="Express checkout"
      // Stripe measures its buttons before it reports whether there are any, so they are rendered invisibly first.
      className={joinClassNames('mb-6', !isAvailable && 'invisible h-0 overflow-hidden')}
    >
      <h2 className="mb-3 font-sans text-base font-semibold tracking-normal">Express checkout</h2>
      <LazyBoundary instead={null}>
        <Buttons
          {...{ price, ...handlers }}
          isShipped={isShipped(cart)}
          onCancel={() => {}}
          onAvailable={setAvailable}
        />
      </LazyBoundary>
      <p className="mt-6 flex items-center gap-4 text-[0.9375rem] text-muted before:h-px before:flex-1 before:bg-hair after:h-px after:flex-1 after:bg-hair">
        or enter your details
      </p>
    </section>
  );
}
