import { useEffect, useRef, useState } from 'react';
import { LoaderCircle } from 'lucide-react';
import { send } from '../data/api.ts';
import { errorText, isRefusal } from '../data/error-text.ts';
import { beginNewOrder } from '../data/payment-memory.ts';
import { clearPromoCode, rememberPromoCode } from '../data/promo-memory.ts';
import { useGoTo } from '../account/customer.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { storeDetails, storeDraft } from './stored-details.ts';

/**
 * /cart/{token}: opened by the button in a cart reminder or in the email about an order by phone. Fills in the checkout
 * of this tab and goes on to it. Only a script requests the cart, because mail scanners also open the address.
 */
export function CartLinkPage({ token }: { token: string }) {
  const goTo = useGoTo();
  const [error, setError] = useState<unknown>();
  const isBusy = useRef(false);
  async function openCart() {
    // React's strict mode mounts twice.
    if (isBusy.current) return;
    isBusy.current = true;
    setError(undefined);
    try {
      const { cart, promoCode, customerDetails, knownDetails } = await send('POST /api/cart-link', { body: { token } });
      beginNewOrder();
      if (customerDetails) storeDetails(customerDetails);
      else storeDraft(knownDetails ?? {});
      if (promoCode === null) clearPromoCode();
      else rememberPromoCode(promoCode);
      goTo(customerDetails ? paths.checkout(cart) : paths.customerDetails(cart), { replace: true });
    } catch (caught) {
      setError(caught);
    } finally {
      isBusy.current = false;
    }
  }
  useEffect(() => {
    void openCart();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each link
  }, [token]);
  if (error === undefined)
    return (
      <section className="wrap flex flex-col items-center py-24 text-center sm:py-32">
        <LoaderCircle aria-hidden className="size-8 animate-spin text-accent" />
        <h1 className="title-2 mt-6">Opening your cart...</h1>
        <noscript>
          <p className="lede mt-4">Please turn on JavaScript to continue to checkout.</p>
        </noscript>
      </section>
    );
  const isPaid = isRefusal(error, 'payment-link-paid');
  const isOver =
    isPaid ||
    isRefusal(error, 'payment-link-over') ||
    isRefusal(error, 'cart-link-invalid') ||
    isRefusal(error, 'unknown-product');
  return (
    <section className="wrap flex flex-col items-center py-24 text-center sm:py-32">
      <h1 className="title-2">
        {isPaid ? 'Thank you' : isOver ? 'This cart is no longer here' : 'Your cart did not open'}
      </h1>
      <p role="alert" className="lede mt-4 max-w-xl">
        {errorText(error)}
      </p>
      <div className="mt-9 flex flex-wrap justify-center gap-3">
        {isOver ? (
          <LinkButton to={paths.chooseProduct}>See our products</LinkButton>
        ) : (
          <Button onClick={() => void openCart()}>Try again</Button>
        )}
        <LinkButton look="secondary" to={paths.support}>
          Contact support
        </LinkButton>
      </div>
    </section>
  );
}
