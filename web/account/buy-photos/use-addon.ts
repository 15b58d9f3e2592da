import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Customer } from '#contract/accounts.ts';
import type { TaxLocation } from '#contract/customer-details.ts';
import type { CardFormHandle } from '../../checkout/card-form/card-form.tsx';
import { type ApiResponseBody, ApiError, send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { toast } from '../../ui/toast.ts';
import { useGoTo, useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { pollAddon } from './poll-addon.ts';

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
const leaveMs = 2000;

/** The payment of extra packages, from the creation of the intent until the frame has more room. */
export function useAddon(
  requestedAddon: { deviceId: string; quantity: number },
  { customer, returnUrl }: { customer: Customer; returnUrl: string },
) {
  const [state, setState] = useState<AddonState>({ at: 'starting' });
  /** Where the customer lives. Entered once, for the sales tax and as the card's billing location. */
  const [taxLocation, setTaxLocation] = useState<TaxLocation>();
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  const noteEnd = useSessionEnd();
  const leaving = useRef<AbortController>(undefined);
  const isBusy = useRef(false);
  const paymentError = (description: string) => toast({ title: 'Payment Error', description, destructive: true });

  const start = async (said = taxLocation, at: 'starting' | 'renewing' = 'starting') => {
    setState({ at });
    try {
      const intent = await send('POST /api/create-addon-payment-intent', {
        body: { ...requestedAddon, ...(said && { taxLocation: said }) },
      });
      if (!intent.clientSecret) throw new Error('No client secret received');
      setTaxLocation(said);
      setState({ at: 'ready', intent });
    } catch (error) {
      if (isRefusal(error, 'tax-location-needed')) return setState({ at: 'location' });
      const words =
        error instanceof Error && !(error instanceof ApiError) ? errorText(error, error.message) : errorText(error);
      toast({ title: 'Error', description: words, destructive: true });
      const isLocationRefused =
        isRefusal(error, 'tax-location-unknown') || (said && isRefusal(error, 'invalid-request'));
      if (isLocationRefused) return setState({ at: 'location' });
      setState({ at: 'failed', words });
      noteEnd(error);
    }
  };
  const begin = useEffectEvent(() => void start());
  useEffect(() => {
    // React's strict mode mounts, unmounts and mounts again. The delay lets the unmount cancel the first start.
    const timer = setTimeout(begin, 0);
    return () => {
      clearTimeout(timer);
      leaving.current?.abort();
      leaving.current = undefined;
    };
  }, []);

  const renew = () => start(taxLocation, 'renewing');

  const hasFailed = state.at === 'failed';
  const leave = useEffectEvent(() => goTo(paths.upload, { replace: true }));
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setTimeout(leave, leaveMs);
    return () => clearTimeout(timer);
  }, [hasFailed]);

  const follow = async (paymentIntentId: string) => {
    leaving.current ??= new AbortController();
    const { signal } = leaving.current;
    const waiting = (isLong: boolean) => setState({ at: 'waiting', paymentIntentId, isLong });
    try {
      const paid = await pollAddon(paymentIntentId, { signal, onWaiting: () => waiting(false) });
      if (paid === 'processing') return waiting(true);
      setState({ at: 'paid' });
      toast({ title: 'Photos added', description: paid.message });
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
      goTo(paths.addonReturn('success', paid.deviceId), { replace: true });
    } catch (error) {
      if (signal.aborted) return;
      noteEnd(error);
      const words = errorText(error, 'Payment verification failed');
      paymentError(words);
      if (isRefusal(error, 'payment-not-finished')) return renew();
      setState({ at: 'unconfirmed', paymentIntentId, words });
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
          toast({ title: 'Payment Processing', description: 'Your bank is still checking this payment.' });
          return await follow(intent.paymentIntentId);
        case 'succeeded':
          return await follow(intent.paymentIntentId);
        case 'leaving':
          return; // the page stays busy, because the bank's page is loading
        case 'replaced':
          paymentError('This page was opened in another window, so we started over here. Please try again.');
          return await renew();
        case 'refused':
          toast({ title: 'Payment Failed', description: confirmResult.words, destructive: true });
          break;
        case 'unfinished':
          paymentError('Payment was not completed successfully');
          break;
        case 'incomplete':
      }
      setState({ at: 'ready', intent });
    } catch (error) {
      // Confirming the same intent again cannot charge twice.
      paymentError(errorText(error, 'An error occurred during payment'));
      setState({ at: 'ready', intent });
    } finally {
      isBusy.current = false;
    }
  };
  return { state, taxLocation, start, pay, follow };
}
