import { CircleAlert, LoaderCircle } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { errorText, isRefusal } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/surfaces.tsx';
import { expectToasts } from '../ui/toast.ts';
import { createCart } from '../data/cart.ts';
import { useContinueAfterPayment } from './continue-after-payment.ts';
import { readStoredPaymentAttempt } from '../data/payment-memory.ts';
import { pollPayment, VerificationError } from './verify-payment.ts';

type State =
  | { at: 'verifying' }
  | { at: 'waiting' }
  | { at: 'still-waiting' }
  | { at: 'failed'; words: string; canRetry: boolean; canPayAgain: boolean };

const noIntent: State = {
  at: 'failed',
  words: 'No payment intent found in URL',
  canRetry: false,
  canPayAgain: false,
};

/** /payment-success: a bank's page redirects the buyer here. Verifies the payment and opens the next page. */
export function PaymentSuccessPage({ paymentIntentId }: { paymentIntentId: string | undefined }) {
  const [round, setRound] = useState(0);
  return <Verification key={round} paymentIntentId={paymentIntentId} onAgain={() => setRound(round + 1)} />;
}

function Verification(props: { paymentIntentId: string | undefined; onAgain: () => void }) {
  const { paymentIntentId, onAgain } = props;
  const [state, setState] = useState<State>(paymentIntentId ? { at: 'verifying' } : noIntent);
  const continueAfterPayment = useContinueAfterPayment();

  const verify = useEffectEvent(async (signal: AbortSignal) => {
    if (!paymentIntentId) return;
    try {
      const payment = await pollPayment(paymentIntentId, { signal, onWaiting: () => setState({ at: 'waiting' }) });
      if (payment.success) continueAfterPayment(payment);
      else setState({ at: 'still-waiting' });
    } catch (error) {
      if (!signal.aborted) setState(createFailedState(error));
    }
  });
  useEffect(() => {
    expectToasts();
    const unmountController = new AbortController();
    const timer = setTimeout(() => void verify(unmountController.signal), 0);
    return () => {
      clearTimeout(timer);
      unmountController.abort();
    };
  }, []);

  switch (state.at) {
    case 'verifying':
      return (
        <StatusCard icon={<Spinner />} title="Processing Payment...">
          <p>We’re confirming your payment. Please keep this page open for a moment.</p>
        </StatusCard>
      );
    case 'waiting':
      return (
        <StatusCard icon={<Spinner />} title="Processing Payment...">
          <p>
            Your bank is still confirming the payment. This usually takes a few seconds. You don’t need to do anything.
          </p>
        </StatusCard>
      );
    case 'still-waiting':
      return (
        <StatusCard
          icon={<Spinner isStill />}
          title="Processing Payment..."
          actions={
            <>
              <Button onClick={onAgain}>Check again</Button>
              <LinkButton look="secondary" to={paths.home}>
                Go to Home
              </LinkButton>
            </>
          }
        >
          <p>
            Your bank is taking longer than usual. You can close this page. We’ll email you as soon as we know, and you
            won’t be charged twice.
          </p>
        </StatusCard>
      );
    case 'failed':
      return (
        <StatusCard
          isAlert
          icon={<CircleAlert aria-hidden className="mx-auto size-12 text-bad" strokeWidth={1.5} />}
          title="Payment Processing Error"
          actions={
            <>
              {state.canRetry && <Button onClick={onAgain}>Try again</Button>}
              {state.canPayAgain && (
                <LinkButton to={paths.checkout(readStoredPaymentAttempt()?.cart ?? createCart({}))}>
                  Back to checkout
                </LinkButton>
              )}
              <LinkButton look={state.canRetry || state.canPayAgain ? 'secondary' : 'primary'} to={paths.home}>
                Go to Home
              </LinkButton>
            </>
          }
        >
          <p className="font-medium text-ink">{state.words}</p>
          <p className="mt-2">Please contact support if this issue persists.</p>
        </StatusCard>
      );
  }
}

function createFailedState(error: unknown): State {
  const fallback = 'An error occurred while processing your payment.';
  const isUnpaid = (['payment-not-finished', 'promo-code-lost', 'frames-lost', 'gift-card-lost'] as const).some(
    (name) => isRefusal(error, name),
  );
  const isFinalFailure = isUnpaid || isRefusal(error, 'payment-not-found') || isRefusal(error, 'payment-mismatch');
  const words = error instanceof VerificationError ? error.message : errorText(error, fallback);
  return { at: 'failed', words, canRetry: !isFinalFailure, canPayAgain: isUnpaid };
}

const Spinner = ({ isStill = false }) => (
  <LoaderCircle
    aria-hidden
    className={`mx-auto size-12 text-accent ${isStill ? '' : 'animate-spin'}`}
    strokeWidth={1.5}
  />
);

function StatusCard(props: {
  icon: ReactNode;
  title: string;
  isAlert?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="wrap flex justify-center py-16 sm:py-24">
      <Card
        role={props.isAlert ? 'alert' : 'status'}
        className="w-full max-w-lg px-6 py-12 text-center sm:px-12 sm:py-14"
      >
        {props.icon}
        <h1 className="title-3 mt-5">{props.title}</h1>
        <div className="mt-3 min-h-14 text-muted">{props.children}</div>
        {props.actions && <div className="mt-7 flex flex-wrap justify-center gap-3">{props.actions}</div>}
      </Card>
    </section>
  );
}
