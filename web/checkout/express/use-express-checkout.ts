import { useRef, useState } from 'react';
import { type Cart, formatDollars } from '#contract/catalog.ts';
import { useGoTo } from '../../account/customer.ts';
import { ApiError, send } from '../../data/api.ts';
import { isShipped } from '../../data/cart.ts';
import { errorText } from '../../data/error-text.ts';
import * as memory from '../../data/payment-memory.ts';
import { paths } from '../../paths.ts';
import { toast } from '../../ui/toast.ts';
import { storeDetails } from '../stored-details.ts';
import { createIntent } from '../use-payment.ts';
import type { WalletAddress } from '../card-form/wallet-address.ts';
import type { CartPrice, ExpressButtonsProps, WaitingWallet } from './express-protocol.ts';
import {
  toCountry,
  type GivenByWallet,
  readWalletDetails,
  findRegionCode,
  type WalletDetails,
} from './wallet-details.ts';

export type IncompleteWallet = Extract<WalletDetails, { draft: unknown }>;

interface ExpressPurchase {
  cart: Cart;
  /** The promo code whose discount the shop has confirmed. */
  promoCode: string | undefined;
  price: CartPrice | undefined;
  /** The wallet gave details that are not enough. */
  onIncomplete: (wallet: IncompleteWallet) => void;
}

/**
 * Pays with a wallet on the details page. Every way out leads to the payment page, which verifies the attempt: it is
 * the same intent and the same verification as with a card. So a lost response, a reload or a second tab never pays
 * twice.
 */
export function useExpressCheckout({ cart, promoCode, price, onIncomplete }: ExpressPurchase) {
  const goTo = useGoTo();
  const [openedAt, setOpenedAt] = useState(Date.now);
  const isBusy = useRef(false);
  /** The total that the wallet shows. */
  const shownTotal = useRef<number>(undefined);

  const onOpen = () => {
    if (isBusy.current) return false;
    // An earlier attempt with an unknown result may be paid. The payment page finds out.
    if (memory.readStoredPaymentAttempt()) {
      goTo(paths.checkout(cart));
      return false;
    }
    if (memory.wasPaidSince(openedAt)) {
      setOpenedAt(Date.now());
      toast({
        title: 'You have just paid in another window',
        description: 'Your order is in. To buy another one, please press the button again.',
      });
      return false;
    }
    shownTotal.current = price?.taxAmount === undefined ? undefined : price.totalAmount;
    return true;
  };

  const onAddress = async (address: WalletAddress): Promise<CartPrice | undefined> => {
    const country = toCountry(address.country);
    if (!country) return undefined;
    const { city, postal_code: postalCode } = address;
    const state = findRegionCode(country, address.state);
    try {
      const pricedCart = await send('POST /api/price-cart', {
        body: {
          ...cart,
          ...(promoCode !== undefined && { promoCode }),
          address: { country, ...(state && { state }), ...(city && { city }), ...(postalCode && { postalCode }) },
        },
      });
      shownTotal.current = pricedCart.totalAmount;
      return pricedCart;
    } catch (error) {
      toast({ title: 'This address does not work', description: errorText(error), destructive: true });
      return undefined;
    }
  };

  const onConfirm = async (given: GivenByWallet, wallet: WaitingWallet): Promise<void> => {
    if (isBusy.current) return; // ignore a second tap: the first tap closes the wallet
    isBusy.current = true;
    try {
      const walletDetails = readWalletDetails(given, { isShipped: isShipped(cart) });
      if ('draft' in walletDetails) {
        wallet.fail('address');
        return onIncomplete(walletDetails);
      }
      memory.beginNewOrder();
      storeDetails(walletDetails.details);
      const opensPaymentPage = await payWithWallet(walletDetails.details, wallet);
      if (opensPaymentPage) goTo(paths.checkout(cart));
    } finally {
      isBusy.current = false;
    }
  };

  /** Returns whether to go on to the payment page. False if the browser is loading the page of a wallet. */
  const payWithWallet = async (customerDetails: Parameters<typeof storeDetails>[0], wallet: WaitingWallet) => {
    const body = { ...cart, customerDetails, ...(promoCode !== undefined && { promoCode }), isFromWallet: true };
    const intent = await createIntent(body, new AbortController().signal).catch((error: unknown) => {
      // The payment page starts the payment again with the same details, and shows why it does not work.
      if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
      return undefined;
    });
    if (!intent) {
      wallet.fail();
      return true;
    }
    if (intent.totalAmount !== shownTotal.current) {
      wallet.fail();
      toast({
        title: 'Please check your new total',
        description: `With your full address, your order costs ${formatDollars(intent.totalAmount)}. Nothing was charged.`,
        destructive: true,
      });
      return true;
    }
    memory.storePaymentAttempt({ paymentIntentId: intent.paymentIntentId, cart });
    try {
      const { outcome, ...more } = await wallet.confirm(intent);
      if (outcome === 'succeeded' || outcome === 'processing') {
        memory.storePaymentAttempt({ paymentIntentId: intent.paymentIntentId, cart, isConfirmed: true });
        return true;
      }
      if (outcome === 'leaving') return false;
      wallet.fail();
      memory.clearPaymentAttempt();
      if ('words' in more) toast({ title: 'Payment Failed', description: more.words, destructive: true });
      else
        toast({
          title: 'Payment Error',
          description: 'Payment was not completed successfully',
          destructive: true,
        });
      return true;
    } catch {
      // The result is unknown, so keep the attempt. The payment page asks the shop about it.
      wallet.fail();
      return true;
    }
  };

  return { onOpen, onAddress, onConfirm } satisfies Partial<ExpressButtonsProps>;
}
