import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { WaitingCard } from '../../checkout/checkout-page.tsx';
import { toast } from '../../ui/toast.ts';
import { useGoTo, useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { pollAddonPayment } from './poll-addon.ts';

type State = { at: 'verifying' } | { at: 'still-waiting' } | { at: 'failed'; words: string; canRetry: boolean };

const noIntent: State = { at: 'failed', words: 'No payment intent found in URL', canRetry: false };

/** /addon-payment-success: a bank's page redirects the buyer here. Verifies the payment and opens /upload. */
export function AddonPaymentSuccessPage({ paymentIntentId }: { paymentIntentId: string | undefined }) {
  const [round, setRound] = useState(0);
  return <Verification key={round} paymentIntentId={paymentIntentId} onAgain={() => setRound(round + 1)} />;
}

function Verification(props: { paymentIntentId: string | undefined; onAgain: () => void }) {
  const { paymentIntentId, onAgain: again } = props;
  const [state, setState] = useState<State>(paymentIntentId ? { at: 'verifying' } : noIntent);
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  const handleSessionEnd = useSessionEnd();
  const verify = useEffectEvent(async (signal: AbortSignal) => {
    if (!paymentIntentId) return;
    try {
      const paidAddon = await pollAddonPayment(paymentIntentId, { signal, onWaiting: () => {} });
      if (paidAddon === 'processing') return setState({ at: 'still-waiting' });
      toast({ title: 'Photos added', description: paidAddon.message });
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
      goTo(paths.addonReturn('success', paidAddon.deviceId), { replace: true });
    } catch (error) {
      if (signal.aborted) return;
      const message = errorText(error, 'Payment verification failed');
      toast({ title: 'Payment Error', description: message, destructive: true });
      handleSessionEnd(error);
      const isFinalFailure = isRefusal(error, 'payment-not-finished') || isRefusal(error, 'payment-not-found');
      setState({ at: 'failed', words: message, canRetry: !isFinalFailure });
    }
  });
  useEffect(() => {
    const unmountController = new AbortController();
    const timer = setTimeout(() => void verify(unmountController.signal), 0);
    return () => {
      clearTimeout(timer);
      unmountController.abort();
    };
  }, []);
  return (
    <section className="wrap flex justify-center py-16 sm:py-24">
      <div className="w-full max-w-lg">
        <h1 className="sr-only">Your payment</h1>
        {state.at === 'failed' ? (
          <Notice tone="bad" title="Payment Processing Error" className="sm:p-6">
            <p className="mt-1">{state.words}</p>
            <p className="mt-2">Please contact support if this issue persists.</p>
            <div className="mt-5 flex flex-wrap gap-3">
              {state.canRetry && <Button onClick={again}>Try again</Button>}
              <LinkButton look={state.canRetry ? 'secondary' : 'primary'} to={paths.upload}>
                Back to my photos
              </LinkButton>
            </div>
          </Notice>
        ) : (
          <WaitingCard isLong={state.at === 'still-waiting'} onAsk={again} />
        )}
      </div>
    </section>
  );
}
