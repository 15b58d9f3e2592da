import { createIsomorphicFn } from '@tanstack/react-start';
import { lazy, type Ref, Suspense, useState } from 'react';
import {
  type Cart,
  type CartProduct,
  cartLimits,
  formatDollars,
  includedPhotoCounts,
  photoCountOf,
  pricesInCents,
  calculateCartPrice,
} from '#contract/catalog.ts';
import { choiceSearch } from '../../checkout/cart-params.ts';
import { createCart } from '../../data/cart.ts';
import { useFramesLeft } from '../../data/stock.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useAddress, useNavigation } from '../../ui/navigation.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { withoutLineBreaks } from '../../ui/without-line-breaks.tsx';
import { SoldOut as SoldOutOnServer } from './sold-out.tsx';

/**
 * The browser loads this part only while the frame is sold out. While it loads, and if it fails to load, the server's
 * HTML stays. On a page that was rendered before the last frame was sold, the fallback is shown.
 */
const SoldOut = createIsomorphicFn()
  .server(() => SoldOutOnServer)
  .client(() => lazy(() => loadSoldOut().then((it) => ({ default: it.SoldOut }))))();
const loadSoldOut = () => import('./sold-out.tsx').catch(() => new Promise<never>(() => {}));

const contactText = 'For more, please contact support.';

/**
 * The quantity and extra packages that are chosen on a product's page. The default is a quantity of one without extras.
 * The choice is stored in the address, so that it survives a reload and the way back from checkout.
 */
export function useProductChoice(productId: CartProduct) {
  const { quantity, extras } = choiceSearch(useAddress().search);
  const { changeSearch } = useNavigation();
  const [cart, setCart] = useState(() => createCart({ product: productId, quantity, extras }));
  const changeCart = (next: Cart) => {
    setCart(next);
    changeSearch({
      quantity: next.quantity > 1 ? next.quantity : undefined,
      extras: next.extraPackages || undefined,
    });
  };
  return {
    cart,
    setQuantity: (count: number) => changeCart({ ...cart, quantity: count }),
    setExtraPackages: (count: number) => changeCart({ ...cart, extraPackages: count }),
  };
}

interface Props {
  choice: ReturnType<typeof useProductChoice>;
  /** A ref for the link to checkout. BuyBar is shown while that link is out of view. */
  buyLink: Ref<HTMLAnchorElement>;
}

/** The quantity, the extra photos, the price and the link to checkout. */
export function Purchase({ choice, buyLink }: Props) {
  const { cart, setQuantity, setExtraPackages } = choice;
  const { productId, quantity, extraPackages } = cart;
  const { subtotalCents } = calculateCartPrice(cart);
  const isShipped = productId === 'kinframe';
  const framesLeft = useFramesLeft();
  if (isShipped && framesLeft === 0)
    return (
      <Suspense fallback={<p className="title-3">Sold out</p>}>
        <SoldOut />
      </Suspense>
    );
  const showsFramesLeft = framesLeft !== null;
  return (
    <div className="space-y-6">
      {isShipped && (
        <Stepper
          name="quantity"
          label="Frames"
          hint={`${formatDollars(pricesInCents[productId])} each, ${includedPhotoCounts.device} photos included`}
          value={quantity}
          least={1}
          most={showsFramesLeft ? framesLeft : cartLimits.maxFrames}
          mostWords={showsFramesLeft ? `Only ${framesLeft} left.` : contactText}
          onChange={setQuantity}
        />
      )}
      <Stepper
        name="extra photo packages"
        label="Extra photo packages"
        hint={`+${includedPhotoCounts.extraPackage} photos for ${formatDollars(pricesInCents.extraPackage)} each`}
        value={extraPackages}
        least={0}
        most={cartLimits.maxExtras}
        mostWords={contactText}
        onChange={setExtraPackages}
      />
      <div aria-live="polite" className="flex items-baseline justify-between gap-4 border-t border-hair pt-5">
        <p>
          <span className="font-semibold">Total</span>
          <span className="block text-[0.9375rem] text-muted">{photoCountOf(cart)} photos brought to life</span>
        </p>
        <p className="font-serif text-3xl font-medium tabular-nums sm:text-4xl">{formatDollars(subtotalCents)}</p>
      </div>
      <LinkButton ref={buyLink} wide size="large" to={paths.customerDetails(cart)}>
        Buy now
      </LinkButton>
      <p className="text-center text-[0.9375rem] text-muted">
        {withoutLineBreaks(
          isShipped
            ? 'Free shipping. 30-day returns. 1-year limited warranty.'
            : 'Digital delivery 24-72 hours after you finish uploading.',
        )}
      </p>
    </div>
  );
}
