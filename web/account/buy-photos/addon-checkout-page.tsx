import { ArrowLeft, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { Customer } from '#contract/accounts.ts';
import { countries } from '#contract/addresses.ts';
import { formatDollars, includedPhotoCounts, pricesInCents } from '#contract/catalog.ts';
import type { TaxLocation } from '#contract/customer-details.ts';
import { Assurances } from '../../checkout/assurances.tsx';
import { UnconfirmedCard, WaitingCard } from '../../checkout/checkout-page.tsx';
import { GiftCardFields } from '../../checkout/gift-card-field.tsx';
import { PayForm, PlaceOrder } from '../../checkout/pay-form.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select, TextInput } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Card, Notice, Skeleton } from '../../ui/surfaces.tsx';
import { TermValueRow } from './buy-photos.tsx';
import { type AddonIntent, useAddonPayment } from './use-addon.ts';

interface Props {
  customer: Customer;
  deviceId: string;
  /** The frame's name in the address. Shown until the shop returns the real name. */
  deviceName: string;
  quantity: number;
  /** The shop's origin. After an authentication, the bank's page redirects the buyer back to it. */
  origin: string;
  isSandbox: boolean;
  collectsTax: boolean;
}

/** /addon-checkout: shows the packages and their frame, and takes the card. */
export function AddonCheckoutPage(props: Props) {
  const { customer, deviceId, quantity, origin, isSandbox, collectsTax } = props;
  const addon = useAddonPayment({ deviceId, quantity }, { customer, returnUrl: `${origin}/addon-payment-success` });
  const { state, taxLocation } = addon;
  const intent = state.at === 'ready' || state.at === 'paying' ? state.intent : undefined;
  const subtotal = quantity * pricesInCents.extraPackage;
  const total = intent?.totalAmount ?? (collectsTax ? undefined : subtotal);
  return (
    <section className="wrap pt-6 pb-16 sm:pt-10 sm:pb-24">
      <Link to={paths.upload} className="link inline-flex min-h-11 items-center gap-2">
        <ArrowLeft aria-hidden className="size-4.5" />
        Back to my photos
      </Link>
      <h1 className="title-2 mt-4">Buy More Photos</h1>
      <p className="lede mt-3">Pay by card and add more photos right away.</p>
      <div className="mt-8 grid gap-8 lg:grid-cols-[minmax(0,1fr)_25rem] lg:items-start lg:gap-x-14">
        <aside aria-label="Order summary" className="lg:sticky lg:top-24 lg:col-start-2 lg:row-start-1">
          <Summary
            {...props}
            intent={intent}
            total={total}
            canChange={state.at === 'starting' || state.at === 'renewing' || state.at === 'ready'}
          />
        </aside>
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          {state.at === 'waiting' ? (
            <WaitingCard isLong={state.isLong} onAsk={() => void addon.follow(state.paymentIntentId)} />
          ) : state.at === 'unconfirmed' ? (
            <UnconfirmedCard words={state.words} onAsk={() => void addon.follow(state.paymentIntentId)} />
          ) : state.at === 'failed' ? (
            <Notice tone="bad" title="We couldn’t start this payment">
              {state.words} We’re taking you back to your photos.
            </Notice>
          ) : state.at === 'paid' ? (
            <Card role="status" className="text-center">
              <CircleCheck aria-hidden className="mx-auto size-12 text-good" strokeWidth={1.5} />
              <h2 className="title-3 mt-4">Payment Successful</h2>
            </Card>
          ) : state.at === 'location' ? (
            <LocationCard onLocation={(location) => void addon.start(location)} />
          ) : state.at === 'starting' && collectsTax ? (
            // The page may first have to ask where the customer lives. Until then, show no card form: it would ask for
            // the ZIP code too.
            <Skeleton className="h-96 rounded-xl" />
          ) : intent?.dueAmount === 0 ? (
            <PlaceOrder state={state.at === 'paying' ? 'paying' : 'ready'} onPlace={() => void addon.place()} />
          ) : (
            <PayForm
              intent={intent}
              place={taxLocation ?? { country: 'US' }}
              isSandbox={isSandbox}
              state={state.at === 'ready' || state.at === 'paying' ? state.at : 'waiting'}
              onPay={(card) => void addon.pay(card)}
            />
          )}
          <div className="mt-8">
            <Assurances shipped={false} />
          </div>
        </div>
      </div>
    </section>
  );
}

function Summary(
  props: Props & {
    intent: AddonIntent | undefined;
    total: number | undefined;
    /** Whether gift cards can be entered and removed now. */
    canChange: boolean;
  },
) {
  const { quantity, intent, total, collectsTax, canChange } = props;
  const tax = intent?.taxAmount ?? (collectsTax ? undefined : 0);
  return (
    <Card>
      <h2 className="title-3">Order summary</h2>
      <p className="mt-2 text-muted">For {intent?.deviceName ?? props.deviceName}</p>
      <dl className="mt-5 space-y-2.5">
        <TermValueRow
          term={`+${includedPhotoCounts.extraPackage} Photo Package × ${quantity}`}
          value={formatDollars(quantity * pricesInCents.extraPackage)}
        />
        <TermValueRow term="Photos added" value={`${quantity * includedPhotoCounts.extraPackage}`} />
        <TermValueRow term="Tax" value={tax === undefined ? '…' : formatDollars(tax)} />
      </dl>
      <dl className="mt-4 border-t border-hair pt-4">
        <TermValueRow term="Total" value={total === undefined ? '…' : formatDollars(total)} isStrong />
      </dl>
      {intent && intent.giftCards.length > 0 && (
        <dl className="mt-2.5 space-y-2.5">
          {intent.giftCards.map(({ lastFour, amount }) => (
            <TermValueRow key={lastFour} term={`Gift card ending in ${lastFour}`} value={formatDollars(-amount)} />
          ))}
          <TermValueRow term="Left to pay" value={formatDollars(intent.dueAmount)} />
        </dl>
      )}
      <div className="mt-4 border-t border-hair pt-3">
        <GiftCardFields shares={intent?.giftCards} isUpdating={!intent} disabled={!canChange} />
      </div>
    </Card>
  );
}

/**
 * Asks where the customer lives, for the sales tax. Shown for a customer's own frame, which has no shipping address.
 */
function LocationCard({ onLocation }: { onLocation: (location: TaxLocation) => void }) {
  const [country, setCountry] = useState<TaxLocation['country']>('US');
  const [postalCode, setPostalCode] = useState('');
  return (
    <Card>
      <h2 className="title-3">Where do you live?</h2>
      <p className="mt-2 text-muted">We need this to calculate sales tax.</p>
      <form
        noValidate
        method="post"
        aria-label="Where you live"
        className="mt-5 space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          onLocation({ country, postalCode: postalCode.trim() });
        }}
      >
        <Field label="Country">
          {(tied) => (
            <Select {...tied} value={country} onChange={(event) => setCountry(event.target.value as typeof country)}>
              {countries.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={country === 'CA' ? 'Postal code' : 'ZIP code'}>
          {(tied) => (
            <TextInput
              {...tied}
              autoComplete="postal-code"
              value={postalCode}
              onChange={(event) => setPostalCode(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit">Continue</Button>
      </form>
    </Card>
  );
}
