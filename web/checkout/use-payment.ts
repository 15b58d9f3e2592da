import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Cart } from '#contract/catalog.ts';
import type { CustomerDetails } from '#contract/customer-details.ts';
import { type Answer, ApiError, send } from '../data/api.ts';
import { errorWords, isRefusal } from '../data/error-words.ts';
import { paths } from '../paths.ts';
import { currentToast, toast } from '../ui/toast.ts';
import type { CardFormHandle } from './card-form/card-form.tsx';
import { changedDelayMs } from './intent-pace.ts';
import { useLeadOn } from './lead-on.ts';
import * as memory from '../data/payment-memory.ts';
import type { PromoCode } from './promo-code.ts';
import { refusePromoCode } from '../data/promo-memory.ts';
import { billingOf } from './stored-details.ts';
import { followPayment, VerificationError } from './verify-payment.ts';

export type Intent = Answer<'POST /api/create-payment-intent'>;

export type PaymentState =
  /** Looking into whether this tab has paid already. */
  | { at: 'checking' }
  | { at: 'starting' }
  | { at: 'start-failed'; words: string | undefined }
  | { at: 'ready'; intent: Intent }
  | { at: 'paying'; intent: Intent }
  /** The bank has not decided. `isLong`: we stopped asking. */
  | { at: 'waiting'; paymentIntentId: string; isLong: boolean }
  /** The provider took the payment, the shop could not be asked. */
  | { at: 'unconfirmed'; paymentIntentId: string; words: string }
  | { at: 'paid'; order: memory.PaidOrder; isElsewhere: boolean };

interface Purchase {
  cart: Cart;
  /** Undefined until the buyer has given them. */
  details: CustomerDetails | undefined;
  promo: Pick<PromoCode, 'discount' | 'isChecking'>;
  /** Where a bank's page sends the buyer back to. */
  returnUrl: string;
}

/**
 * The payment of a cart, from asking for an intent to leading on. Whatever the buyer does (clicks twice, reloads, goes
 * back, opens a second window), at most one intent of theirs is open, and one that may have been paid is looked into
 * before another is made.
 */
export function usePayment({ cart, details, promo, returnUrl }: Purchase) {
  const [state, setState] = useState<PaymentState>({ at: 'checking' });
  /** The sum that was paid stays on the page after its intent is done with. */
  const [lastIntent, setLastIntent] = useState<Intent>();
  const [isChecked, setChecked] = useState(false);
  const [round, setRound] = useState(0);
  const leadOn = useLeadOn();
  const [openedAt] = useState(Date.now);
  const leaving = useRef<AbortController>(undefined);
  const isBusy = useRef(false);
  /** What changes from here on (a paid order's code is forgotten) asks for no other intent. */
  const isPaid = useRef(false);
  const promoCode = promo.discount?.code;
  const asked = JSON.stringify([cart, details, promoCode]);
  const askedFor = useRef<string>(undefined);
  /** How often another intent was asked for because something had changed. */
  const changes = useRef(0);

  /** Ask the shop how a payment stands, and go on from there. `isEarlier`: a try whose outcome was never told. */
  const follow = async (paymentIntentId: string, { isEarlier = false } = {}) => {
    leaving.current ??= new AbortController();
    const { signal } = leaving.current;
    const waiting = (isLong: boolean) => setState({ at: 'waiting', paymentIntentId, isLong });
    try {
      const payment = await followPayment(paymentIntentId, { signal, onWaiting: () => waiting(false) });
      if (!payment.success) return waiting(true);
      isPaid.current = true;
      setState({ at: 'paid', order: leadOn(payment), isElsewhere: false });
    } catch (error) {
      if (signal.aborted) return;
      // Nothing was paid: a decline, or an authentication that was left. A fresh start is safe.
      if (isRefusal(error, 'payment-not-finished') || (isEarlier && isRefusal(error, 'payment-not-found'))) {
        if (!isEarlier) failed(errorWords(error));
        return startAgain();
      }
      const words =
        error instanceof VerificationError ? error.message : errorWords(error, 'Payment verification failed');
      failed(words);
      setState({ at: 'unconfirmed', paymentIntentId, words });
    }
  };

  const failed = (words: string) => toast({ title: 'Payment Error', description: words, destructive: true });

  const startAgain = () => {
    memory.forgetAttempt();
    setState({ at: 'starting' });
    setChecked(true);
    setRound((it) => it + 1);
  };

  /** First of all: what became of an earlier try? Only then may an intent be asked for. */
  const check = useEffectEvent(() => {
    const order = memory.paidOrder();
    const attempt = memory.rememberedAttempt();
    if (order) setState({ at: 'paid', order, isElsewhere: false });
    else if (attempt) void follow(attempt.paymentIntentId, { isEarlier: true });
    else setChecked(true);
  });

  useEffect(() => {
    // Later than the mount that React's strict mode takes back at once.
    const timer = setTimeout(check, 0);
    const showPaidElsewhere = () => setState({ at: 'paid', order: { next: paths.upload }, isElsewhere: true });
    const stopHearing = memory.onPaidElsewhere(showPaidElsewhere);
    // Back from the bank's page by the back button: the page is as it was left, the payment may not be.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) location.reload();
    };
    addEventListener('pageshow', onShow);
    return () => {
      clearTimeout(timer);
      stopHearing();
      removeEventListener('pageshow', onShow);
      leaving.current?.abort();
      leaving.current = undefined;
    };
  }, []);

  const start = useEffectEvent(async (signal: AbortSignal) => {
    if (!details) return;
    // A try whose answer was lost may be paid: another intent beside it would be a second order.
    const attempt = memory.rememberedAttempt();
    if (attempt) {
      setState({ at: 'checking' });
      return follow(attempt.paymentIntentId, { isEarlier: true });
    }
    if (askedFor.current !== undefined && askedFor.current !== asked) changes.current += 1;
    askedFor.current = asked;
    try {
      const body = { ...cart, customerDetails: details, ...(promoCode !== undefined && { promoCode }) };
      const intent = await createIntent(body, signal);
      if (signal.aborted) return;
      if (!intent.clientSecret) throw new Error('No client secret received from server');
      setLastIntent(intent);
      setState({ at: 'ready', intent });
    } catch (error) {
      if (signal.aborted) return;
      // Buying goes on without the code; another intent is asked for as soon as it is out.
      if (promoCode !== undefined && error instanceof ApiError && error.code?.startsWith('promo-code-'))
        return refusePromoCode(promoCode, errorWords(error));
      setState({ at: 'start-failed', words: wordsOf(error) });
    }
  });

  useEffect(() => {
    if (!isChecked || isPaid.current) return;
    setState({ at: 'starting' });
    if (!details || promo.isChecking) return;
    const stop = new AbortController();
    const isChange = askedFor.current !== undefined && askedFor.current !== asked;
    const timer = setTimeout(() => void start(stop.signal), isChange ? changedDelayMs(changes.current) : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
    // `details` is part of `asked`, which changes only when something in it does.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isChecked, round, asked, promo.isChecking]);

  async function pay(form: CardFormHandle) {
    // A second click comes before the button is seen to be busy.
    if (isBusy.current || state.at !== 'ready' || !details) return;
    if (memory.wasPaidSince(openedAt)) {
      return setState({ at: 'paid', order: { next: paths.upload }, isElsewhere: true });
    }
    isBusy.current = true;
    const { intent } = state;
    setState({ at: 'paying', intent });
    const earlier = currentToast.get();
    if (earlier) currentToast.close(earlier.id);
    try {
      memory.rememberAttempt({ paymentIntentId: intent.paymentIntentId, cart });
      const confirmed = await form.confirm({ intent, billing: billingOf(details), returnUrl });
      switch (confirmed.outcome) {
        case 'succeeded':
        case 'processing':
          if (confirmed.outcome === 'processing') {
            setState({ at: 'waiting', paymentIntentId: intent.paymentIntentId, isLong: false });
          }
          return await follow(intent.paymentIntentId);
        case 'leaving':
          return; // stays busy: the bank's page is loading
        case 'replaced':
          failed(
            'This checkout was opened in another window, so we have renewed it here. Please check the total and try again.',
          );
          return startAgain();
        case 'refused':
          toast({ title: 'Payment Failed', description: confirmed.words, destructive: true });
          break;
        case 'unfinished':
          failed('Payment was not completed successfully');
          break;
        case 'incomplete':
      }
      memory.forgetAttempt();
      setState({ at: 'ready', intent });
    } catch (error) {
      // The outcome is unknown, so the attempt stays remembered; confirming the same intent again cannot charge twice.
      failed(wordsOf(error) ?? 'An error occurred during payment');
      setState({ at: 'ready', intent });
    } finally {
      isBusy.current = false;
    }
  }

  return { state, lastIntent, pay, follow, tryAgain: startAgain };
}

/** What the shop said, or the provider's script; a browser's own words for a dead network are no use to anyone. */
function wordsOf(error: unknown): string | undefined {
  if (error instanceof ApiError || error instanceof TypeError) return errorWords(error);
  return error instanceof Error && error.message ? error.message : undefined;
}

/**
 * One at a time, in order: a new intent cancels the one before it, so an older request overtaking a newer one would
 * cancel the intent on the screen. Other tabs wait too: the first answer's cookie makes theirs the same checkout. What
 * nobody waits for any more is not sent at all.
 */
let lastRequest: Promise<unknown> = Promise.resolve();
type IntentBody = Cart & { customerDetails: CustomerDetails; promoCode?: string };
function createIntent(body: IntentBody, signal: AbortSignal): Promise<Intent> {
  const ask = () => {
    signal.throwIfAborted();
    return send('POST /api/create-payment-intent', { body });
  };
  // Browsers have locks on https and localhost alone.
  const request = lastRequest.then(() => (navigator.locks ? navigator.locks.request('checkout', ask) : ask()));
  lastRequest = request.catch(() => undefined);
  return request;
}
