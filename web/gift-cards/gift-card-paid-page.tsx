import { CircleCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useGoTo } from '../account/customer.ts';
import { WaitingCard } from '../checkout/checkout-page.tsx';
import { errorText } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card, Notice } from '../ui/surfaces.tsx';
import { giftCardPaths } from './gift-card-paths.ts';
import { forgetPurchase, readRememberedPurchase } from './purchase-memory.ts';
import { pollGiftCard } from './use-gift-card.ts';

type State = { at: 'verifying' } | { at: 'still-waiting' } | { at: 'paid' } | { at: 'failed'; words: string };

/** /gift-cards/paid: a bank's page redirects the buyer here. Verifies the payment and opens the card's page. */
export function GiftCardPaidPage({ paymentIntentId }: { paymentIntentId: string | undefined }) {
  const [round, setRound] = useState(0);
  return <Verification key={round} paymentIntentId={paymentIntentId} onAgain={() => setRound(round + 1)} />;
}

function Verification(props: { paymentIntentId: string | undefined; onAgain: () => void }) {
  const { paymentIntentId, onAgain } = props;
  const [state, setState] = useState<State>(paymentIntentId ? { at: 'verifying' } : { at: 'paid' });
  const goTo = useGoTo();
  const verify = useEffectEvent(async (signal: AbortSignal) => {
    if (!paymentIntentId) return;
    try {
      const payment = await pollGiftCard(paymentIntentId, { signal, onWaiting: () => {} });
      if (!payment.success) return setState({ at: 'still-waiting' });
      const token = readRememberedPurchase();
      forgetPurchase();
      if (token === undefined) setState({ at: 'paid' });
      else goTo(giftCardPaths.bought(token), { replace: true });
    } catch (error) {
      if (!signal.aborted) setState({ at: 'failed', words: errorText(error, 'Payment verification failed') });
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
        <h1 className="sr-only">Your gift card</h1>
        {state.at === 'failed' ? (
          <Notice tone="bad" title="Payment Processing Error" className="sm:p-6">
            <p className="mt-1">{state.words}</p>
            <div className="mt-5 flex flex-wrap gap-3">
              <Button onClick={onAgain}>Try again</Button>
              <LinkButton look="secondary" to={paths.giftCards}>
                Back to gift cards
              </LinkButton>
            </div>
          </Notice>
        ) : state.at === 'paid' ? (
          <Card className="text-center">
            <CircleCheck aria-hidden className="mx-auto size-12 text-good" strokeWidth={1.5} />
            <h2 className="title-3 mt-4">Thank you</h2>
            <p className="mt-3 text-muted">
              If your payment went through, a receipt is on its way to your email. Its link opens your gift card.
            </p>
            <LinkButton to={paths.home} look="secondary" className="mt-6">
              Go to Home
            </LinkButton>
          </Card>
        ) : (
          <WaitingCard isLong={state.at === 'still-waiting'} onAsk={onAgain} />
        )}
      </div>
    </section>
  );
}
