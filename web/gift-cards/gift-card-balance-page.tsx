import { useState } from 'react';
import { formatDollars } from '#contract/catalog.ts';
import { GiftCardCodeForm } from '#contract/gift-card-forms.ts';
import { type ApiResponseBody, send } from '../data/api.ts';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../ui/form.tsx';
import { Card } from '../ui/surfaces.tsx';

type Balance = ApiResponseBody<'POST /api/gift-cards/balance'>;

/** /gift-cards/balance: what is left on a gift card. */
export function GiftCardBalancePage() {
  const [balance, setBalance] = useState<Balance>();
  const form = useShopForm(GiftCardCodeForm, {
    onSubmit: async ({ code }) => {
      setBalance(undefined);
      setBalance(await send('POST /api/gift-cards/balance', { body: { code } }));
    },
    fallbackText: 'We couldn’t read the balance. Please try again.',
  });
  return (
    <section className="wrap flex justify-center py-12 sm:py-20">
      <div className="w-full max-w-xl">
        <h1 className="title-2">Check your gift card balance</h1>
        <p className="lede mt-3">Enter the 16 characters on the card or in the email. Gift cards never expire.</p>
        <Card className="mt-8">
          <Form form={form} label="Gift card balance">
            <TextField
              form={form}
              name="code"
              label="Gift card code"
              placeholder="XXXX-XXXX-XXXX-XXXX"
              autoComplete="off"
              maxLength={60}
            />
            <FormProblem form={form} />
            <SubmitButton form={form} busyLabel="Looking...">
              Check balance
            </SubmitButton>
          </Form>
        </Card>
        <div aria-live="polite">{balance && <Result balance={balance} />}</div>
      </div>
    </section>
  );
}

function Result({ balance: { lastFour, amount, balance, available } }: { balance: Balance }) {
  return (
    <Card className="mt-6 text-center">
      <p className="text-muted">On the gift card ending in {lastFour}</p>
      <p className="mt-2 font-serif text-5xl font-medium tabular-nums">{formatDollars(balance)}</p>
      <p className="mt-2 text-muted">
        of {formatDollars(amount)}
        {available < balance && `. ${formatDollars(balance - available)} of it is being used at a checkout right now.`}
      </p>
      {balance > 0 && (
        <LinkButton to={paths.kinframe} className="mt-6">
          Choose your Kinframe
        </LinkButton>
      )}
    </Card>
  );
}
