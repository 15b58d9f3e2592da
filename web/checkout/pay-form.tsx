import { LockKeyhole } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Agreement } from '../ui/agreement.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/surfaces.tsx';
import { CardLogos } from './card-logos.tsx';
import { type BuyerLocation, CardForm, type CardFormHandle, type PayableIntent } from './card-form/card-form.tsx';

interface Props {
  /** Undefined until the payment has started. */
  intent: PayableIntent | undefined;
  place: BuyerLocation;
  /** Whether the sandbox's card form is shown while `intent` is undefined. */
  isSandbox: boolean;
  /** `ready`: the buyer can pay. `paying`: the card is being charged. `waiting`: the payment has not started. */
  state: 'waiting' | 'ready' | 'paying';
  onPay: (card: CardFormHandle) => void;
  /** Pays with a wallet. If given, the wallets' buttons are above the card. */
  wallets?: { totalCents: number | undefined; onPay: (wallet: CardFormHandle) => Promise<void> } | undefined;
  /** Shown between the card and the button. */
  children?: ReactNode;
}

/** The card form and the pay button: the last step of every checkout. */
export function PayForm({ intent, place, isSandbox, state, onPay, wallets, children }: Props) {
  const cardForm = useRef<CardFormHandle>(null);
  return (
    <Card>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 className="title-3 flex items-center gap-2.5">
          <LockKeyhole aria-hidden className="size-5 text-good" />
          Payment
        </h2>
        <CardLogos />
      </div>
      <form
        noValidate
        method="post"
        aria-label="Payment"
        onSubmit={(event) => {
          event.preventDefault();
          if (cardForm.current) onPay(cardForm.current);
        }}
      >
        <CardForm
          ref={cardForm}
          provider={intent?.provider ?? (isSandbox ? 'sandbox' : 'stripe')}
          intent={intent}
          place={place}
          wallets={wallets}
        />
        {children}
        <Button
          type="submit"
          wide
          size="large"
          className="mt-6"
          busy={state === 'paying'}
          busyLabel="Processing..."
          disabled={state !== 'ready'}
        >
          Complete Payment
        </Button>
        <Agreement by="By paying" className="mt-4 text-center text-[0.9375rem] text-muted" />
      </form>
    </Card>
  );
}

/** The last step of a checkout that gift cards pay completely: a button without a card form. */
export function PlaceOrder(props: { state: Props['state']; onPlace: () => void; children?: ReactNode }) {
  const { state, onPlace, children } = props;
  return (
    <Card>
      <h2 className="title-3">Payment</h2>
      <p className="mt-3 text-muted">Your gift cards pay for everything. You don’t need a card.</p>
      {children}
      <Button
        wide
        size="large"
        className="mt-6"
        busy={state === 'paying'}
        busyLabel="Processing..."
        disabled={state !== 'ready'}
        onClick={onPlace}
      >
        Place order
      </Button>
      <Agreement by="By placing your order" className="mt-4 text-center text-[0.9375rem] text-muted" />
    </Card>
  );
}
