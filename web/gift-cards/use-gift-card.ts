import { useEffect, useRef, useState } from 'react';
import { type GiftCardFormValues, giftCardBodyOf } from '#contract/gift-card-forms.ts';
import { useGoTo } from '../account/customer.ts';
import type { CardFormHandle } from '../checkout/card-form/card-form.tsx';
import { pollPayment } from '../checkout/verify-payment.ts';
import { type ApiResponseBody, send } from '../data/api.ts';
import { errorText, isRefusal } from '../data/error-text.ts';
import { toast } from '../ui/toast.ts';
import { giftCardPaths } from './gift-card-paths.ts';
import { forgetPurchase, readRememberedPurchase, rememberPurchase } from './purchase-memory.ts';

type GiftCardIntent = ApiResponseBody<'POST /api/gift-cards/payment-intent'>;
type GiftCardState =
  | { at: 'form' }
  | { at: 'ready' | 'paying'; intent: GiftCardIntent; values: GiftCardFormValues }
  | { at: 'waiting'; paymentIntentId: string; isLong: boolean }
  | { at: 'unconfirmed'; paymentIntentId: string; words: string };

/** Polls the payment for a gift card at the same intervals as checkout. */
export const pollGiftCard = (paymentIntentId: string, following: { signal: AbortSignal; onWaiting: () => void }) =>
  pollPayment(paymentIntentId, {
    ...following,
    verify: async (id) => ({
      ...(await send('POST /api/gift-cards/verify-payment', { body: { paymentIntentId: id } })),
      needsRegistration: false,
    }),
  });

const isAlreadyPaid = async (token: string): Promise<boolean> => {
  try {
    return (await send('POST /api/gift-cards/bought', { body: { token } })).state !== 'unpaid';
  } catch (error) {
    if (isRefusal(error, 'not-found')) return false;
    throw error;
  }
};

/** The purchase of a gift card, from the form until the page of the card opens. */
export function useGiftCard(returnUrl: string) {
  const [state, setState] = useState<GiftCardState>({ at: 'form' });
  const goTo = useGoTo();
  const unmountController = useRef<AbortController>(undefined);
  const isBusy = useRef(false);
  useEffect(
    () => () => {
      unmountController.current?.abort();
      unmountController.current = undefined;
    },
    [],
  );
  const showPaymentError = (description: string) => toast({ title: 'Payment Error', description, destructive: true });

  /**
   * Throws the API's refusal, so that the form shows it. An earlier try of this tab is replaced. If it was paid and the
   * response got lost, this opens the bought card instead, so that the buyer does not pay twice.
   */
  const startPurchase = async (values: GiftCardFormValues) => {
    const replacedToken = readRememberedPurchase();
    if (replacedToken !== undefined && (await isAlreadyPaid(replacedToken))) {
      forgetPurchase();
      return goTo(giftCardPaths.bought(replacedToken), { replace: true });
    }
    const body = { ...giftCardBodyOf(values), ...(replacedToken !== undefined && { replaces: replacedToken }) };
    const intent = await send('POST /api/gift-cards/payment-intent', { body });
    rememberPurchase(intent.token);
    setState({ at: 'ready', intent, values });
  };

  const pollUntilSettled = async (paymentIntentId: string) => {
    unmountController.current ??= new AbortController();
    const { signal } = unmountController.current;
    const showWaiting = (isLong: boolean) => setState({ at: 'waiting', paymentIntentId, isLong });
    try {
      const payment = await pollGiftCard(paymentIntentId, { signal, onWaiting: () => showWaiting(false) });
      if (!payment.success) return showWaiting(true);
      const token = readRememberedPurchase();
      forgetPurchase(); // the next card is a new purchase
      goTo(token === undefined ? giftCardPaths.paid : giftCardPaths.bought(token), { replace: true });
    } catch (error) {
      if (signal.aborted) return;
      const message = errorText(error, 'Payment verification failed');
      showPaymentError(message);
      if (isRefusal(error, 'payment-not-finished')) return setState({ at: 'form' });
      setState({ at: 'unconfirmed', paymentIntentId, words: message });
    }
  };

  const pay = async (form: CardFormHandle) => {
    if (isBusy.current || state.at !== 'ready') return;
    isBusy.current = true;
    const { intent, values } = state;
    setState({ at: 'paying', intent, values });
    try {
      const billing = { firstName: values.senderName, lastName: '', email: values.buyerEmail };
      const confirmResult = await form.confirm({ intent, billing, returnUrl });
      switch (confirmResult.outcome) {
        case 'succeeded':
        case 'processing':
          return await pollUntilSettled(intent.paymentIntentId);
        case 'leaving':
          return; // the page stays busy, because the bank's page is loading
        case 'replaced':
          showPaymentError('This page was opened in another window. Please try again here.');
          return setState({ at: 'form' });
        case 'refused':
          toast({ title: 'Payment Failed', description: confirmResult.words, destructive: true });
          break;
        case 'unfinished':
          showPaymentError('Payment was not completed successfully');
          break;
        case 'incomplete':
      }
      setState({ at: 'ready', intent, values });
    } catch (error) {
      // Confirming the same intent again cannot charge twice.
      showPaymentError(errorText(error, 'An error occurred during payment'));
      setState({ at: 'ready', intent, values });
    } finally {
      isBusy.current = false;
    }
  };

  return { state, start: startPurchase, pay, follow: pollUntilSettled, change: () => setState({ at: 'form' }) };
}
