import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Customer } from '#contract/accounts.ts';
import type { TaxLocation } from '#contract/customer-details.ts';
import type { CardFormHandle } from '../../checkout/card-form/card-form.tsx';
import { useEnteredGiftCards } from '../../checkout/gift-card-field.tsx';
import { type ApiResponseBody, ApiError, send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { clearGiftCards, refuseGiftCards } from '../../data/gift-card-memory.ts';
import { paths } from '../../paths.ts';
import { toast } from '../../ui/toast.ts';
import { useGoTo, useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { pollAddonPayment } from './poll-addon.ts';

export type AddonIntent = ApiResponseBody<'POST /api/create-addon-payment-intent'>;
export type AddonState =
  | { at: 'starting' }
  /** A new intent is created, because the earlier one can no longer be paid. The card form keeps its input. */
  | { at: 'renewing' }
  /** The customer is asked where they live: tax is collected, and the frame has no shipping address. */
  | { at: 'location' }
  | { at: 'failed'; words: string }
  | { at: 'ready' | 'paying'; intent: AddonIntent }
  | { at: 'waiting'; paymentIntentId: string; isLong: boolean }
  | { at: 'unconfirmed'; paymentIntentId: string; words: string }
  | { at: 'paid' };

/** How long the error is shown if the payment cannot start. Then /upload opens again (specification 2, section 9). */
const failureDisplayMs = 2000;

/** The payment of extra packages, from the creation of the intent until the frame has more room. */
export function useAddonPayment(
  requestedAddon: { deviceId: string; quantity: number },
  { customer, returnUrl }: { customer: Customer; returnUrl: string },
) {
  const [state, setState] = useState<AddonState>({ at: 'starting' });
  /** Where the customer lives. Entered once, for the sales tax and as the card's billing location. */
  const [taxLocation, setTaxLocation] = useState<TaxLocation>();
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  const handleSessionEnd = useSessionEnd();
  const unmountController = useRef<AbortController>(undefined);
  const isBusy = useRef(false);
  /** Whether the packages are paid. Clearing the gift cards after that must not start another payment. */
  const isPaid = useRef(false);
  const { codes: giftCards } = useEnteredGiftCards();
  /** The number of starts so far. The result of a start is ignored if a newer start followed it. */
  const startCount = useRef(0);
  /** Requests run one after the other, because each new intent cancels the earlier one. */
  const lastRequest = useRef<Promise<unknown>>(Promise.resolve());
  const showPaymentError = (description: string) => toast({ title: 'Payment Error', description, destructive: true });

  const requestPaymentIntent = async (
    said = taxLocation,
    at: 'starting' | 'renewing' = 'starting',
    codes: readonly string[] = giftCards,
  ) => {
    setState({ at });
    startCount.current += 1;
    const startNumber = startCount.current;
    const body = {
      ...requestedAddon,
      ...(said && { taxLocation: said }),
      ...(codes.length > 0 && { giftCards: [...codes] }),
    };
    const request = lastRequest.current.then(() =>
      startNumber === startCount.current ? send('POST /api/create-addon-payment-intent', { body }) : undefined,
    );
    lastRequest.current = request.catch(() => undefined);
    try {
      const intent = await request;
      if (startNumber !== startCount.current || !intent) return;
      if (!intent.clientSecret && intent.dueAmount !== 0) throw new Error('No client secret received');
      setTaxLocation(said);
      setState({ at: 'ready', intent });
    } catch (error) {
      if (startNumber !== startCount.current) return;
      // Remove the gift cards. This starts the payment again without them, and the customer sees why.
      if (codes.length > 0 && error instanceof ApiError && error.code?.startsWith('gift-card-'))
        return refuseGiftCards(errorText(error));
      if (isRefusal(error, 'tax-location-needed')) return setState({ at: 'location' });
      const message =
        error instanceof Error && !(error instanceof ApiError) ? errorText(error, error.message) : errorText(error);
      toast({ title: 'Error', description: message, destructive: true });
      const isLocationRefused =
        isRefusal(error, 'tax-location-unknown') || (said && isRefusal(error, 'invalid-request'));
      if (isLocationRefused) return setState({ at: 'location' });
      setState({ at: 'failed', words: message });
      handleSessionEnd(error);
    }
  };
  const startPayment = useEffectEvent((codes: readonly string[]) => {
    if (state.at === 'location' || isPaid.current) return;
    void requestPaymentIntent(taxLocation, startCount.current === 0 ? 'starting' : 'renewing', codes);
  });
  useEffect(() => {
    // React's strict mode mounts, unmounts and mounts again. The delay lets the unmount cancel the first start.
    const timer = setTimeout(() => startPayment(giftCards), 0);
    return () => clearTimeout(timer);
  }, [giftCards]);
  useEffect(
    () => () => {
      unmountController.current?.abort();
      unmountController.current = undefined;
    },
    [],
  );

  const renewPayment = () => requestPaymentIntent(taxLocation, 'renewing');

  const hasFailed = state.at === 'failed';
  const openUploadPage = useEffectEvent(() => goTo(paths.upload, { replace: true }));
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setTimeout(openUploadPage, failureDisplayMs);
    return () => clearTimeout(timer);
  }, [hasFailed]);

  const pollUntilSettled = async (paymentIntentId: string) => {
    unmountController.current ??= new AbortController();
    const { signal } = unmountController.current;
    const showWaiting = (isLong: boolean) => setState({ at: 'waiting', paymentIntentId, isLong });
    try {
      const paidAddon = await pollAddonPayment(paymentIntentId, { signal, onWaiting: () => showWaiting(false) });
      if (paidAddon === 'processing') return showWaiting(true);
      return finishPurchase(paidAddon);
    } catch (error) {
      if (signal.aborted) return;
      handleSessionEnd(error);
      const message = errorText(error, 'Payment verification failed');
      showPaymentError(message);
      if (isRefusal(error, 'payment-not-finished') || isRefusal(error, 'gift-card-lost')) return renewPayment();
      setState({ at: 'unconfirmed', paymentIntentId, words: message });
    }
  };

  const finishPurchase = (paid: { message: string; deviceId?: string | undefined }) => {
    isPaid.current = true;
    setState({ at: 'paid' });
    clearGiftCards();
    toast({ title: 'Photos added', description: paid.message });
    void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    goTo(paths.addonReturn('success', paid.deviceId), { replace: true });
  };

  /** Pays packages that gift cards pay completely. Repeating it is safe: the shop takes the money once. */
  const placeWithGiftCards = async () => {
    if (isBusy.current || state.at !== 'ready') return;
    isBusy.current = true;
    const { intent } = state;
    setState({ at: 'paying', intent });
    try {
      const { paymentIntentId } = intent;
      finishPurchase(await send('POST /api/verify-addon-payment', { body: { paymentIntentId } }));
    } catch (error) {
      handleSessionEnd(error);
      showPaymentError(errorText(error, 'Your order could not be placed'));
      if (error instanceof ApiError && error.status < 500) return await renewPayment();
      setState({ at: 'ready', intent });
    } finally {
      isBusy.current = false;
    }
  };

  const pay = async (form: CardFormHandle) => {
    if (isBusy.current || state.at !== 'ready') return;
    isBusy.current = true;
    const { intent } = state;
    setState({ at: 'paying', intent });
    try {
      const { firstName, lastName, email } = customer;
      const billing = { firstName, lastName, email, ...(taxLocation && { taxLocation }) };
      const confirmResult = await form.confirm({ intent, billing, returnUrl });
      switch (confirmResult.outcome) {
        case 'processing':
          toast({ title: 'Payment processing', description: 'Your bank is still checking this payment.' });
          return await pollUntilSettled(intent.paymentIntentId);
        case 'succeeded':
          return await pollUntilSettled(intent.paymentIntentId);
        case 'leaving':
          return; // the page stays busy, because the bank's page is loading
        case 'replaced':
          showPaymentError('This page was opened in another window, so we started over here. Please try again.');
          return await renewPayment();
        case 'refused':
          toast({ title: 'Payment Failed', description: confirmResult.words, destructive: true });
          break;
        case 'unfinished':
          showPaymentError('Payment was not completed successfully');
          break;
        case 'incomplete':
      }
      setState({ at: 'ready', intent });
    } catch (error) {
      // Confirming the same intent again cannot charge twice.
      showPaymentError(errorText(error, 'An error occurred during payment'));
      setState({ at: 'ready', intent });
    } finally {
      isBusy.current = false;
    }
  };
  return { state, taxLocation, start: requestPaymentIntent, pay, place: placeWithGiftCards, follow: pollUntilSettled };
}
