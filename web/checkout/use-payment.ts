import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Cart, formatDollars } from '#contract/catalog.ts';
import type { CustomerDetails } from '#contract/customer-details.ts';
import { type ApiResponseBody, ApiError, send } from '../data/api.ts';
import { errorText, isRefusal } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { currentToast, toast } from '../ui/toast.ts';
import type { CardFormHandle } from './card-form/card-form.tsx';
import { intentUpdateDelayMs } from './intent-pace.ts';
import { useContinueAfterPayment } from './continue-after-payment.ts';
import { refuseGiftCards } from '../data/gift-card-memory.ts';
import * as memory from '../data/payment-memory.ts';
import type { PromoCodeState } from './promo-code.ts';
import { refusePromoCode, readRememberedPromoCode } from '../data/promo-memory.ts';
import { withoutGiftAddress } from './stored-details.ts';
import { pollPayment, VerificationError } from './verify-payment.ts';

export type CheckoutIntent = ApiResponseBody<'POST /api/create-payment-intent'>;

export type PaymentState =
  /** The page checks whether this tab has already paid. */
  | { at: 'checking' }
  | { at: 'starting' }
  | { at: 'start-failed'; words: string | undefined; code?: string | undefined }
  /** The shop refuses more payments for now, because of too many changes. The page tries again at `until` (in ms). */
  | { at: 'limited'; until: number }
  | { at: 'ready'; intent: CheckoutIntent }
  | { at: 'paying'; intent: CheckoutIntent }
  /** The bank has not decided. `isLong`: the page has stopped polling. */
  | { at: 'waiting'; paymentIntentId: string; isLong: boolean }
  /** The provider accepted the payment, but the shop could not be reached. */
  | { at: 'unconfirmed'; paymentIntentId: string; words: string }
  | { at: 'paid'; order: memory.PaidOrder; isElsewhere: boolean };

/** How long the page waits if the shop does not say how long. */
const defaultWaitSeconds = 60;

interface CheckoutPurchase {
  cart: Cart;
  /** Undefined until the buyer has entered the details that this cart needs. */
  details: CustomerDetails | undefined;
  promo: Pick<PromoCodeState, 'discount' | 'isChecking'>;
  /** The codes of the entered gift cards. */
  giftCards: readonly string[];
  /** The URL to which a bank's page redirects the buyer after the authentication. */
  returnUrl: string;
}

/**
 * The payment for a cart, from the creation of the intent until the next page opens. At most one intent of a buyer is
 * open, even if the buyer clicks twice, reloads, goes back or opens a second window. If an intent may have been paid,
 * it is verified before another intent is created.
 */
export function usePayment({ cart, details, promo, giftCards, returnUrl }: CheckoutPurchase) {
  const [state, setState] = useState<PaymentState>({ at: 'checking' });
  /** The last created intent. After the payment, the page shows the amounts of this intent. */
  const [lastIntent, setLastIntent] = useState<CheckoutIntent>();
  const [isChecked, setChecked] = useState(false);
  const [round, setRound] = useState(0);
  const continueAfterPayment = useContinueAfterPayment();
  const [openedAt] = useState(Date.now);
  const unmountController = useRef<AbortController>(undefined);
  const isBusy = useRef(false);
  /** Whether the cart is paid. A later change, such as removing the promo code, must not create another intent. */
  const isPaid = useRef(false);
  const promoCode = promo.discount?.code;
  const purchaseKey = JSON.stringify([cart, details, promoCode, giftCards]);
  const requestedKey = useRef<string>(undefined);
  /** How many intents were requested because of a change. */
  const changeCount = useRef(0);

  /**
   * Polls the shop for the state of a payment, and continues with the next page or a new attempt. `isEarlier`: the
   * payment is an earlier attempt with an unknown outcome.
   */
  const pollUntilSettled = async (paymentIntentId: string, { isEarlier = false } = {}) => {
    unmountController.current ??= new AbortController();
    const { signal } = unmountController.current;
    const showWaiting = (isLong: boolean) => setState({ at: 'waiting', paymentIntentId, isLong });
    try {
      const payment = await pollPayment(paymentIntentId, { signal, onWaiting: () => showWaiting(false) });
      if (!payment.success) return showWaiting(true);
      isPaid.current = true;
      setState({ at: 'paid', order: continueAfterPayment(payment), isElsewhere: false });
    } catch (error) {
      if (signal.aborted) return;
      // Nothing was paid: the card was declined, or the buyer canceled the authentication. A new attempt is safe.
      if (isRefusal(error, 'payment-not-finished') || (isEarlier && isRefusal(error, 'payment-not-found'))) {
        if (!isEarlier) showPaymentError(errorText(error));
        return startAgain();
      }
      if (isRefusal(error, 'promo-code-lost')) {
        removePromoCode(readRememberedPromoCode()?.code, errorText(error));
        return startAgain();
      }
      // Other buyers bought the frames first, or the gift card was spent elsewhere. The new attempt says what is left.
      if (isRefusal(error, 'frames-lost') || isRefusal(error, 'gift-card-lost')) {
        showPaymentError(errorText(error));
        return startAgain();
      }
      const words =
        error instanceof VerificationError ? error.message : errorText(error, 'Payment verification failed');
      showPaymentError(words);
      setState({ at: 'unconfirmed', paymentIntentId, words });
    }
  };

  /**
   * Call this if other buyers have used up the promo code. The buyer then sees the total without it, and can decide.
   */
  const removePromoCode = (code: string | undefined, words: string) => {
    if (code !== undefined) refusePromoCode(code, words);
    toast({ title: 'Please check your new total', description: words, destructive: true });
  };

  /** Checks the promo code again before the card is charged. Other buyers may have used it up in the meantime. */
  const isCodeLost = async ({ promoCode: code, discountAmount }: CheckoutIntent) => {
    if (code === undefined) return false;
    try {
      await send('POST /api/check-promo-code', { body: { ...cart, promoCode: code } });
      return false;
    } catch (error) {
      // Ignore all other errors: if the code is a problem, the shop reports it when it verifies the payment.
      if (!isRefusal(error, 'promo-code-used-up')) return false;
      const priceDifference = formatDollars(discountAmount);
      removePromoCode(
        code,
        `${errorText(error)} Your card was not charged. Without the code, your order costs ${priceDifference} more.`,
      );
      return true;
    }
  };

  const showPaymentError = (words: string) => toast({ title: 'Payment Error', description: words, destructive: true });

  const startAgain = () => {
    memory.clearPaymentAttempt();
    setState({ at: 'starting' });
    setChecked(true);
    setRound((it) => it + 1);
  };

  /** Checks whether this tab has paid, or has an earlier attempt. An intent is created only after that. */
  const checkEarlierPayment = useEffectEvent(() => {
    const order = memory.readPaidOrder();
    const earlierAttempt = memory.readStoredPaymentAttempt();
    if (order) setState({ at: 'paid', order, isElsewhere: false });
    else if (earlierAttempt) {
      const { paymentIntentId, isConfirmed } = earlierAttempt;
      if (isConfirmed) setState({ at: 'waiting', paymentIntentId, isLong: false });
      void pollUntilSettled(paymentIntentId, { isEarlier: true });
    } else setChecked(true);
  });

  useEffect(() => {
    // React's strict mode mounts, unmounts and mounts again. The delay lets the unmount cancel the first check.
    const timer = setTimeout(checkEarlierPayment, 0);
    const showPaidElsewhere = () => setState({ at: 'paid', order: { next: paths.upload }, isElsewhere: true });
    const unsubscribe = memory.onPaidInOtherTab(showPaidElsewhere);
    // If the buyer goes back from the bank's page, the browser restores this page with an old state. Reload it, because
    // the payment may have changed.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) location.reload();
    };
    addEventListener('pageshow', onShow);
    return () => {
      clearTimeout(timer);
      unsubscribe();
      removeEventListener('pageshow', onShow);
      unmountController.current?.abort();
      unmountController.current = undefined;
    };
  }, []);

  const requestPaymentIntent = useEffectEvent(async (signal: AbortSignal) => {
    if (!details) return;
    // An earlier attempt whose response was lost may be paid. A second intent could then become a second order.
    const earlierAttempt = memory.readStoredPaymentAttempt();
    if (earlierAttempt) {
      setState({ at: 'checking' });
      return pollUntilSettled(earlierAttempt.paymentIntentId, { isEarlier: true });
    }
    if (requestedKey.current !== undefined && requestedKey.current !== purchaseKey) changeCount.current += 1;
    requestedKey.current = purchaseKey;
    try {
      const body = {
        ...cart,
        customerDetails: details,
        ...(promoCode !== undefined && { promoCode }),
        ...(giftCards.length > 0 && { giftCards: [...giftCards] }),
      };
      const intent = await createIntent(body, signal);
      if (signal.aborted) return;
      if (!intent.clientSecret && intent.dueAmount !== 0) throw new Error('No client secret received from server');
      setLastIntent(intent);
      setState({ at: 'ready', intent });
    } catch (error) {
      if (signal.aborted) return;
      // Refuse only the promo code. This changes `purchaseKey`, and a new intent without the code is requested.
      if (promoCode !== undefined && error instanceof ApiError && error.code?.startsWith('promo-code-'))
        return refusePromoCode(promoCode, errorText(error));
      // Remove the gift cards. The total changes, and the buyer sees why.
      if (giftCards.length > 0 && error instanceof ApiError && error.code?.startsWith('gift-card-'))
        return refuseGiftCards(errorText(error));
      if (isRefusal(error, 'too-many-requests'))
        return setState({ at: 'limited', until: Date.now() + (error.retryAfterSeconds ?? defaultWaitSeconds) * 1000 });
      setState({
        at: 'start-failed',
        words: describeError(error),
        code: error instanceof ApiError ? error.code : undefined,
      });
    }
  });

  useEffect(() => {
    if (!isChecked || isPaid.current) return;
    setState({ at: 'starting' });
    if (!details || promo.isChecking) return;
    const startController = new AbortController();
    const isChange = requestedKey.current !== undefined && requestedKey.current !== purchaseKey;
    const timer = setTimeout(
      () => void requestPaymentIntent(startController.signal),
      isChange ? intentUpdateDelayMs(changeCount.current) : 0,
    );
    return () => {
      clearTimeout(timer);
      startController.abort();
    };
    // `details` is part of `purchaseKey`, which changes only if a value in it changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isChecked, round, purchaseKey, promo.isChecking]);

  async function pay(form: CardFormHandle) {
    // Ignore a second click, which may come before the button is shown as busy.
    if (isBusy.current || state.at !== 'ready' || !details) return;
    if (memory.wasPaidSince(openedAt)) {
      return setState({ at: 'paid', order: { next: paths.upload }, isElsewhere: true });
    }
    isBusy.current = true;
    const { intent } = state;
    setState({ at: 'paying', intent });
    const earlierToast = currentToast.get();
    if (earlierToast) currentToast.close(earlierToast.id);
    try {
      if (await isCodeLost(intent)) return startAgain();
      memory.storePaymentAttempt({ paymentIntentId: intent.paymentIntentId, cart });
      const confirmResult = await form.confirm({ intent, billing: withoutGiftAddress(details), returnUrl });
      switch (confirmResult.outcome) {
        case 'succeeded':
        case 'processing':
          if (confirmResult.outcome === 'processing') {
            setState({ at: 'waiting', paymentIntentId: intent.paymentIntentId, isLong: false });
          }
          return await pollUntilSettled(intent.paymentIntentId);
        case 'leaving':
          return; // the page stays busy, because the bank's page is loading
        case 'replaced':
          showPaymentError(
            'This checkout was opened in another window, so we started it again here. Please check the total and try again.',
          );
          return startAgain();
        case 'refused':
          toast({ title: 'Payment Failed', description: confirmResult.words, destructive: true });
          break;
        case 'unfinished':
          showPaymentError('Payment was not completed successfully');
          break;
        case 'incomplete':
      }
      memory.clearPaymentAttempt();
      setState({ at: 'ready', intent });
    } catch (error) {
      // The outcome is unknown, so keep the attempt. If the buyer confirms the same intent again, it is charged only
      // once.
      showPaymentError(describeError(error) ?? 'An error occurred during payment');
      setState({ at: 'ready', intent });
    } finally {
      isBusy.current = false;
    }
  }

  /** Places an order that gift cards pay completely. Repeating it is safe: the shop places the order once. */
  async function placeOrder() {
    if (isBusy.current || state.at !== 'ready') return;
    isBusy.current = true;
    const { intent } = state;
    const { paymentIntentId } = intent;
    setState({ at: 'paying', intent });
    try {
      memory.storePaymentAttempt({ paymentIntentId, cart });
      const payment = await send('POST /api/pay-with-gift-cards', { body: { paymentIntentId } });
      isPaid.current = true;
      setState({ at: 'paid', order: continueAfterPayment(payment), isElsewhere: false });
    } catch (error) {
      showPaymentError(errorText(error, 'Your order could not be placed'));
      if (error instanceof ApiError && error.status < 500) return startAgain();
      setState({ at: 'ready', intent });
    } finally {
      isBusy.current = false;
    }
  }

  return { state, lastIntent, pay, placeOrder, follow: pollUntilSettled, tryAgain: startAgain };
}

/**
 * The error message of the shop or of the provider's script. The browser's message about a network error is replaced by
 * the shop's text, because it does not help the buyer.
 */
function describeError(error: unknown): string | undefined {
  if (error instanceof ApiError || error instanceof TypeError) return errorText(error);
  return error instanceof Error && error.message ? error.message : undefined;
}

/**
 * Requests for intents run one at a time and in order, because each new intent cancels the previous intent of the
 * checkout. If an older request arrived last, it would cancel the intent on the screen. Other tabs wait too: the cookie
 * of the first response makes them part of the same checkout. A request that is aborted while it waits is not sent.
 */
let lastRequest: Promise<unknown> = Promise.resolve();
type IntentBody = Cart & {
  customerDetails: CustomerDetails;
  promoCode?: string;
  giftCards?: string[];
  isFromWallet?: boolean;
};
export function createIntent(body: IntentBody, signal: AbortSignal): Promise<CheckoutIntent> {
  const sendRequest = () => {
    signal.throwIfAborted();
    return send('POST /api/create-payment-intent', { body });
  };
  // Browsers support locks only on https and localhost. Without locks, only the requests of this tab are in order.
  const request = lastRequest.then(() =>
    navigator.locks ? navigator.locks.request('checkout', sendRequest) : sendRequest(),
  );
  lastRequest = request.catch(() => undefined);
  return request;
}
