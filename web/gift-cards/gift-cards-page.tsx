import { Gift, Mail, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayText } from '#contract/calendar.ts';
import { formatDollars, pricesInCents } from '#contract/catalog.ts';
import {
  giftCardCentsOf,
  giftCardChoices,
  giftCardDayRange,
  GiftCardForm,
  type GiftCardFormValues,
  giftCardMessageCharacters,
} from '#contract/gift-card-forms.ts';
import { UnconfirmedCard, WaitingCard } from '../checkout/checkout-page.tsx';
import { PayForm } from '../checkout/pay-form.tsx';
import { Button } from '../ui/button.tsx';
import { Form, FormProblem, type ShopForm, SubmitButton, TextAreaField, TextField, useShopForm } from '../ui/form.tsx';
import { Link } from '../ui/link.tsx';
import { Card } from '../ui/surfaces.tsx';
import { giftCardPaths } from './gift-card-paths.ts';
import { useGiftCard } from './use-gift-card.ts';

interface Props {
  /** The shop's origin. After an authentication, the bank's page redirects the buyer back to it. */
  origin: string;
  isSandbox: boolean;
  /** Today in the shop's calendar. */
  day: string;
}
type GiftForm = ShopForm<GiftCardFormValues, GiftCardFormValues>;

/** /gift-cards: choose a gift card, then pay for it. */
export function GiftCardsPage({ origin, isSandbox, day }: Props) {
  const purchase = useGiftCard(`${origin}${giftCardPaths.paid}`);
  const { state } = purchase;
  const form: GiftForm = useShopForm<GiftCardFormValues, GiftCardFormValues>(GiftCardForm, {
    defaultValues: { worth: '5000', dollars: '', delivery: 'email', deliverOn: day },
    onSubmit: purchase.start,
    fallbackText: 'We couldn’t start the payment. Please try again.',
  });
  const values = form.watch();
  const isPaying = state.at === 'ready' || state.at === 'paying';
  return (
    <section className="wrap pt-10 pb-20 sm:pt-14 sm:pb-28">
      <h1 className="title-1">Give a gift card</h1>
      <p className="lede mt-4 max-w-2xl">
        Let them choose the photos and watch them move. A Kinframe gift card never expires, and it can be used in parts.
      </p>
      <div className="mt-10 grid gap-8 lg:grid-cols-[minmax(0,1fr)_25rem] lg:items-start lg:gap-x-14">
        <aside aria-label="Preview" className="lg:sticky lg:top-24 lg:col-start-2 lg:row-start-1">
          <Preview values={values} />
          <p className="mt-5 text-[0.9375rem] text-muted">
            Got a gift card?{' '}
            <Link to={giftCardPaths.balance} className="link inline-flex min-h-11 items-center">
              Check your balance
            </Link>
          </p>
        </aside>
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          {state.at === 'waiting' ? (
            <WaitingCard isLong={state.isLong} onAsk={() => void purchase.follow(state.paymentIntentId)} />
          ) : state.at === 'unconfirmed' ? (
            <UnconfirmedCard words={state.words} onAsk={() => void purchase.follow(state.paymentIntentId)} />
          ) : isPaying ? (
            <div className="space-y-6">
              <SelectedGiftCard values={state.values} onChange={purchase.change} disabled={state.at === 'paying'} />
              <PayForm
                intent={state.intent}
                place={{ country: 'US' }}
                isSandbox={isSandbox}
                state={state.at}
                onPay={(card) => void purchase.pay(card)}
              >
                <div className="mt-6 flex items-baseline justify-between gap-4 border-t border-hair pt-5">
                  <p className="text-lg font-semibold">You pay today</p>
                  <p className="font-serif text-3xl font-medium tabular-nums">
                    {formatDollars(state.intent.totalAmount)}
                  </p>
                </div>
              </PayForm>
            </div>
          ) : (
            <Choice form={form} values={values} day={day} />
          )}
        </div>
      </div>
    </section>
  );
}

function Choice({ form, values, day }: { form: GiftForm; values: Partial<GiftCardFormValues>; day: string }) {
  const { last } = giftCardDayRange(`${day}T17:00:00Z`);
  const isEmailed = values.delivery !== 'print';
  return (
    <Card>
      <Form form={form} label="Gift card" className="space-y-8">
        <fieldset>
          <legend className="title-3">How much?</legend>
          <div className="mt-4 grid grid-cols-2 gap-3 sm:grid-cols-3">
            {giftCardChoices.map((cents) => (
              <Option key={cents} form={form} name="worth" value={String(cents)}>
                <span className="text-lg font-semibold tabular-nums">{formatDollars(cents).replace('.00', '')}</span>
              </Option>
            ))}
            <Option form={form} name="worth" value="frame">
              <span>
                <span className="block font-semibold">A Kinframe</span>
                <span className="block text-sm text-muted">{formatDollars(pricesInCents.kinframe)}</span>
              </span>
            </Option>
            <Option form={form} name="worth" value="other">
              <span className="font-semibold">Other amount</span>
            </Option>
          </div>
          {values.worth === 'other' && (
            <TextField
              form={form}
              name="dollars"
              label="Amount in dollars"
              hint="From $25 to $500"
              inputMode="decimal"
              autoComplete="off"
              className="mt-5"
            />
          )}
        </fieldset>
        <fieldset className="space-y-5 border-t border-hair pt-7">
          <legend className="sr-only">Who is it for?</legend>
          <h2 className="title-3">Who is it for?</h2>
          <TextField form={form} name="recipientName" label="Their name" autoComplete="off" maxLength={60} />
          <TextAreaField
            form={form}
            name="message"
            label="Your message"
            optional
            rows={3}
            maxLength={giftCardMessageCharacters}
          />
        </fieldset>
        <fieldset className="space-y-5 border-t border-hair pt-7">
          <legend className="sr-only">How should they get it?</legend>
          <h2 className="title-3">How should they get it?</h2>
          <div className="grid gap-3 sm:grid-cols-2">
            <Option form={form} name="delivery" value="email">
              <span className="flex items-center gap-3">
                <Mail aria-hidden className="size-5 shrink-0 text-accent" />
                We email it on a day you choose
              </span>
            </Option>
            <Option form={form} name="delivery" value="print">
              <span className="flex items-center gap-3">
                <Printer aria-hidden className="size-5 shrink-0 text-accent" />I print it myself
              </span>
            </Option>
          </div>
          {isEmailed && (
            <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_12rem]">
              <TextField form={form} name="recipientEmail" label="Their email" type="email" autoComplete="off" />
              <TextField form={form} name="deliverOn" label="Day" type="date" min={day} max={last} />
            </div>
          )}
        </fieldset>
        <fieldset className="space-y-5 border-t border-hair pt-7">
          <legend className="sr-only">Who is it from?</legend>
          <h2 className="title-3">Who is it from?</h2>
          <TextField form={form} name="senderName" label="Your name" autoComplete="name" maxLength={60} />
          <TextField
            form={form}
            name="buyerEmail"
            label="Your email"
            type="email"
            autoComplete="email"
            hint="We send the receipt here."
          />
        </fieldset>
        <FormProblem form={form} />
        <SubmitButton form={form} wide size="large" busyLabel="One moment...">
          Continue to payment
        </SubmitButton>
      </Form>
    </Card>
  );
}

function Option({
  form,
  name,
  value,
  children,
}: {
  form: GiftForm;
  name: 'worth' | 'delivery';
  value: string;
  children: ReactNode;
}) {
  return (
    <label className="flex min-h-14 cursor-pointer items-center gap-2.5 rounded-lg border border-hair bg-card px-3 py-2.5 sm:gap-3 sm:px-4 has-checked:border-accent has-checked:outline-2 has-checked:outline-accent has-focus-visible:outline-3 has-focus-visible:outline-accent">
      <input type="radio" value={value} className="size-4.5 shrink-0 accent-accent" {...form.register(name)} />
      {children}
    </label>
  );
}

function Preview({ values }: { values: Partial<GiftCardFormValues> }) {
  const { worth = '', dollars = '', recipientName, senderName, message } = values;
  const cents = giftCardCentsOf({ worth, dollars });
  return (
    <div className="rounded-xl border border-hair bg-card p-2.5 shadow-soft">
      <div className="rounded-lg border border-hair bg-linen px-6 py-7">
        <p className="flex items-center gap-2 font-serif text-lg text-accent-deep">
          <Gift aria-hidden className="size-5" />
          Kinframe gift card
        </p>
        <p className="mt-5 font-serif text-4xl font-medium tabular-nums">
          {worth === 'frame' ? 'One Kinframe' : cents === undefined ? '$…' : formatDollars(cents)}
        </p>
        <p className="mt-4 min-h-6 font-semibold break-words">For {recipientName || '…'}</p>
        {message && <p className="mt-1 font-serif break-words whitespace-pre-line">{message}</p>}
        <p className="mt-1 break-words text-muted">From {senderName || '…'}</p>
      </div>
    </div>
  );
}

function SelectedGiftCard(props: { values: GiftCardFormValues; onChange: () => void; disabled: boolean }) {
  const { values, onChange, disabled } = props;
  return (
    <Card>
      <div className="flex items-center justify-between gap-4">
        <h2 className="title-3">Your gift card</h2>
        <Button look="quiet" size="small" className="-mr-4 underline" disabled={disabled} onClick={onChange}>
          Change<span className="sr-only"> gift card</span>
        </Button>
      </div>
      <p className="mt-2 break-words text-muted">
        {values.delivery === 'print'
          ? `You print it for ${values.recipientName} after paying.`
          : `We email it to ${values.recipientEmail} on ${dayText(values.deliverOn)}.`}{' '}
        Your receipt goes to {values.buyerEmail}.
      </p>
    </Card>
  );
}
