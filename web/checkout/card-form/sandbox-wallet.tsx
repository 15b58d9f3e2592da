import { useEffect, useEffectEvent, useState } from 'react';
import { formatDollars } from '#contract/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select, TextInput } from '../../ui/field.tsx';
import { testCards } from './test-cards.tsx';
import type { WalletAddress } from './wallet-address.ts';

/** The addresses in the sandbox's wallet: complete ones, and those that the shop must not accept. */
const savedAddresses: { label: string; name: string; text: string; address: WalletAddress }[] = [
  {
    label: 'Home in Portland, Oregon',
    name: 'Rose Winter',
    text: '12 Linden Street, Portland, Oregon 97201',
    address: { line1: '12 Linden Street', city: 'Portland', state: 'Oregon', postal_code: '97201', country: 'US' },
  },
  {
    label: 'Home in Albany, NY',
    name: 'Rose Winter',
    text: '1 Elm Street, Albany, NY 12207',
    address: { line1: '1 Elm Street', city: 'Albany', state: 'NY', postal_code: '12207', country: 'US' },
  },
  {
    label: 'Half an address',
    name: 'Rose',
    text: 'Portland, Oregon 97201, no street and no last name',
    address: { line1: '', city: 'Portland', state: 'Oregon', postal_code: '97201', country: 'US' },
  },
  {
    label: 'Home in London',
    name: 'Rose Winter',
    text: '10 Mill Lane, London SW1A 2AA, United Kingdom (we do not ship there)',
    address: { line1: '10 Mill Lane', city: 'London', state: '', postal_code: 'SW1A 2AA', country: 'GB' },
  },
];

/** A line of the sum that a wallet shows. */
export interface WalletLine {
  name: string;
  /** Integer cents. */
  amount: number;
}

export interface WalletChoice {
  name: string;
  email: string;
  address: WalletAddress;
  card: { number: string; expiry: string; cvc: string; postalCode: string };
}

interface Props {
  /** Whether the wallet gives an address and an email. If not, the buyer has entered them in the shop. */
  asksAddress: boolean;
  asksEmail?: boolean;
  /** Undefined until the price at the chosen address is known. */
  lines: WalletLine[] | undefined;
  totalCents: number | undefined;
  /** Whether the shop has refused the chosen address. */
  isRefused: boolean;
  onAddress: (address: WalletAddress) => void;
  onPay: (choice: WalletChoice) => Promise<void>;
  onClose: () => void;
}

/** The sandbox's wallet, in place of the window of Apple Pay, Google Pay, Link or PayPal. */
export function SandboxWallet(props: Props) {
  const { asksAddress, asksEmail = true, lines, totalCents, isRefused, onAddress, onPay, onClose } = props;
  const [at, setAt] = useState(0);
  const [email, setEmail] = useState('rose.winter@example.com');
  const [number, setNumber] = useState(testCards[0]!.number);
  const [isPaying, setPaying] = useState(false);
  const chosenAddress = savedAddresses[at]!;
  const sendAddress = useEffectEvent((index: number) => {
    if (asksAddress) onAddress(savedAddresses[index]!.address);
  });
  useEffect(() => sendAddress(at), [at]); // a wallet sends its first address when it opens

  async function pay() {
    setPaying(true);
    try {
      const card = { number, expiry: '12 / 40', cvc: '123', postalCode: '' };
      await onPay({ name: chosenAddress.name, email, address: chosenAddress.address, card });
    } finally {
      setPaying(false);
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isPaying && onClose()}
      size="small"
      title="Sandbox wallet"
      description="In a real shop, Apple Pay, Google Pay, Link or PayPal opens here. No real card is charged."
      footer={
        <Button
          wide
          size="large"
          disabled={totalCents === undefined}
          busy={isPaying}
          busyLabel="Processing..."
          onClick={() => void pay()}
        >
          {totalCents === undefined ? 'Pay' : `Pay ${formatDollars(totalCents)}`}
        </Button>
      }
    >
      <div className="mt-6 space-y-5">
        {asksAddress && (
          <Field
            label="Ship to"
            hint={`${chosenAddress.name}, ${chosenAddress.text}`}
            error={isRefused ? 'The shop does not accept this address.' : undefined}
          >
            {(tied) => (
              <Select {...tied} value={at} disabled={isPaying} onChange={({ target }) => setAt(Number(target.value))}>
                {savedAddresses.map(({ label }, index) => (
                  <option key={label} value={index}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {asksEmail && (
          <Field label="Email in the wallet">
            {(tied) => (
              <TextInput {...tied} type="email" value={email} onChange={({ target }) => setEmail(target.value)} />
            )}
          </Field>
        )}
        <Field label="Test card">
          {(tied) => (
            <Select {...tied} value={number} disabled={isPaying} onChange={({ target }) => setNumber(target.value)}>
              {testCards.map((card) => (
                <option key={card.number} value={card.number}>
                  {card.number.slice(-4)}: {card.does}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <dl className="space-y-2 border-t border-hair pt-5" aria-live="polite">
          {(lines ?? []).map(({ name, amount }) => (
            <div key={name} className="flex justify-between gap-4 text-muted">
              <dt>{name}</dt>
              <dd className="tabular-nums">{formatDollars(amount)}</dd>
            </div>
          ))}
          <div className="flex justify-between gap-4 font-semibold">
            <dt>Total</dt>
            <dd className="tabular-nums">{totalCents === undefined ? '…' : formatDollars(totalCents)}</dd>
          </div>
        </dl>
      </div>
    </Dialog>
  );
}
