import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, CircleCheck, Gift, LoaderCircle, Package, UserRound } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { type Cart, formatDollars, calculateCartPrice } from '#contract/catalog.ts';
import type { CustomerDetails } from '#contract/customer-details.ts';
import { useGoTo } from '../account/customer.ts';
import { productsQuery } from '../data/queries.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import { Card, Notice, Skeleton } from '../ui/surfaces.tsx';
import { expectToasts } from '../ui/toast.ts';
import { AddressLines } from '../ui/address-lines.tsx';
import { Assurances } from './assurances.tsx';
import { GiftText } from '../ui/gift-text.tsx';
import { isShipped } from '../data/cart.ts';
import { CheckoutLayout } from './checkout-layout.tsx';
import type { BuyerLocation } from './card-form/card-form.tsx';
import { useEnteredGiftCards } from './gift-card-field.tsx';
import { OrderSummary } from './order-summary.tsx';
import { PayForm, PlaceOrder } from './pay-form.tsx';
import { type PromoCodeState, usePromoCode } from './promo-code.ts';
import { withoutGiftAddress, selectDetailsForCart, useStoredDetails } from './stored-details.ts';
import { type CheckoutIntent, type PaymentState, usePayment } from './use-payment.ts';
import { WaitNotice } from './wait-notice.tsx';

interface Props {
  cart: Cart;
  /** The shop's origin. After an authentication, the bank's page redirects the buyer back to it. */
  origin: string;
  isSandbox: boolean;
  collectsTax: boolean;
  onCart: (cart: Cart) => void;
}

/** Step 2 of checkout: review the order and pay. */
export function CheckoutPage({ cart, origin, isSandbox, collectsTax, onCart }: Props) {
  const { data: products = [] } = useQuery(productsQuery());
  const storedDetails = useStoredDetails();
  const details = selectDetailsForCart(cart, storedDetails ?? undefined, collectsTax);
  const promo = usePromoCode(cart);
  const { codes: giftCards } = useEnteredGiftCards();
  const payment = usePayment({ cart, details, promo, giftCards, returnUrl: `${origin}/payment-success` });
  const { state } = payment;
  useEffect(expectToasts, []);

  const intent = state.at === 'ready' || state.at === 'paying' ? state.intent : undefined;
  const isSettled = state.at === 'waiting' || state.at === 'unconfirmed' || state.at === 'paid';
  const pricedIntent = isSettled ? payment.lastIntent : intent;
  const isFixed = !['ready', 'starting', 'start-failed', 'limited'].includes(state.at);
  const isCartShipped = isShipped(cart);
  return (
    <CheckoutLayout
      step={2}
      cart={cart}
      isFirstOpen={storedDetails !== undefined && !details && state.at !== 'paid'}
      title="Checkout"
      lede="Review your order, then pay."
      back={
        <Link to={paths.customerDetails(cart)} className="link inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden className="size-4.5" />
          Back to Details
        </Link>
      }
      summary={
        // After a reload, this page does not know the paid amounts, so it shows no summary. The order page shows them.
        (state.at !== 'paid' || pricedIntent) && (
          <OrderSummary
            cart={cart}
            products={products}
            country={details?.address?.country}
            shipOn={details?.gift?.shipOn}
            answer={pricedIntent}
            promo={promo}
            takesGiftCards
            collectsTax={collectsTax}
            isUpdating={details !== undefined && (state.at === 'starting' || state.at === 'checking')}
            isFixed={isFixed}
            onExtras={(extraPackages) => onCart({ ...cart, extraPackages })}
          />
        )
      }
      assurances={<Assurances shipped={isCartShipped} />}
    >
      {state.at === 'paid' ? (
        <PaidCard state={state} cart={cart} />
      ) : (
        <div className="space-y-6">
          <DetailsCard cart={cart} details={storedDetails === undefined ? undefined : (details ?? null)} />
          {/* Render the form before hydration to reserve its space. The details are not known then, so it is inert. */}
          {(details || storedDetails === undefined) && (
            <div inert={storedDetails === undefined}>
              <PaymentCard
                {...{ cart, isSandbox, payment, intent }}
                hasGiftCards={giftCards.length > 0}
                totalCents={
                  intent?.dueAmount ??
                  (collectsTax || giftCards.length > 0 ? undefined : computeTotalCents(cart, promo))
                }
                place={buyerLocationOf(details)}
              />
            </div>
          )}
        </div>
      )}
    </CheckoutLayout>
  );
}

/** The country and, if it is known, the postal code of the buyer, for the card form. */
function buyerLocationOf(details: CustomerDetails | undefined): BuyerLocation {
  const { address, taxLocation } = details ? withoutGiftAddress(details) : {};
  return address ?? taxLocation ?? { country: details?.address?.country ?? 'US' };
}

const computeTotalCents = (cart: Cart, { discount }: PromoCodeState) =>
  calculateCartPrice(cart).subtotalCents - (discount?.cents ?? 0);

/** The details that were entered in step 1. Undefined before hydration. Null if details are missing. */
function DetailsCard({ cart, details }: { cart: Cart; details: CustomerDetails | null | undefined }) {
  if (details === null) {
    return (
      <Notice tone="warn" title="Missing Customer Details" className="sm:p-6">
        <p className="mt-1">
          {isShipped(cart)
            ? 'Before you pay, please tell us your name and where to send your order.'
            : 'Before you pay, please tell us your name and your email address.'}
        </p>
        <LinkButton to={paths.customerDetails(cart)} className="mt-4">
          Add Customer Details
        </LinkButton>
      </Notice>
    );
  }
  return (
    <Card>
      <div className="mb-4 flex items-center justify-between gap-4">
        <h2 className="title-3">Order details</h2>
        <Link to={paths.customerDetails(cart)} className="link inline-flex min-h-11 items-center">
          Change<span className="sr-only"> order details</span>
        </Link>
      </div>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <Detail icon={UserRound} title="Contact">
          {details ? (
            <>
              <span className="block">
                {details.firstName} {details.lastName}
              </span>
              <span className="block">{details.email}</span>
              {details.phone && <span className="block">{details.phone}</span>}
            </>
          ) : (
            <SkeletonLines count={2} />
          )}
        </Detail>
        {isShipped(cart) && (
          <Detail icon={Package} title="Shipping">
            {details?.gift && <span className="block">{details.gift.recipientName}</span>}
            {details?.address ? <AddressLines address={details.address} /> : <SkeletonLines count={3} />}
          </Detail>
        )}
        {details?.gift && (
          <Detail icon={Gift} title="A gift">
            <GiftText gift={details.gift} />
          </Detail>
        )}
      </div>
    </Card>
  );
}

function Detail({ icon: Icon, title, children }: { icon: typeof Package; title: string; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <Icon aria-hidden className="mt-1 size-5 shrink-0 text-accent" />
      <div className="min-w-0 break-words">
        <h3 className="font-sans text-base font-semibold tracking-normal">{title}</h3>
        <div className="text-muted">{children}</div>
      </div>
    </div>
  );
}

const SkeletonLines = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, index) => <Skeleton key={index} className="my-1.5 h-[1.125rem] w-44" />);

const startFailedText = 'Failed to initialize payment. Please refresh the page and try again';
/** The titles of refusals that another attempt does not change. */
const titles: Record<string, string> = {
  'sold-out': 'Sold out',
  'too-few-frames': 'Not enough frames left',
  'payment-link-paid': 'Already paid',
  'payment-link-over': 'This payment link has ended',
};

function PaymentCard(props: {
  cart: Cart;
  /** Undefined until the tax is calculated. */
  totalCents: number | undefined;
  place: BuyerLocation;
  isSandbox: boolean;
  payment: ReturnType<typeof usePayment>;
  intent: CheckoutIntent | undefined;
  hasGiftCards: boolean;
}) {
  const { cart, totalCents, place, isSandbox, payment, intent, hasGiftCards } = props;
  const { state, pay, placeOrder, follow, tryAgain } = payment;
  if (state.at === 'waiting') {
    return <WaitingCard isLong={state.isLong} onAsk={() => void follow(state.paymentIntentId)} />;
  }
  if (state.at === 'unconfirmed') {
    return <UnconfirmedCard words={state.words} onAsk={() => void follow(state.paymentIntentId)} />;
  }
  const formState = state.at === 'ready' || state.at === 'paying' ? state.at : 'waiting';
  const formNotices = (
    <>
      {state.at === 'limited' && <WaitNotice key={state.until} until={state.until} onOver={tryAgain} />}
      {state.at === 'start-failed' && (
        <Notice tone="bad" title={titles[state.code ?? ''] ?? startFailedText} className="mt-6">
          {state.words && <p className="mt-1">{state.words}</p>}
          {state.code !== undefined && state.code in titles ? (
            <LinkButton look="secondary" size="small" className="mt-3" to={paths.choiceOf(cart)}>
              See the Kinframe
            </LinkButton>
          ) : (
            <Button look="secondary" size="small" className="mt-3" onClick={tryAgain}>
              Try again
            </Button>
          )}
        </Notice>
      )}
      <div className="mt-6 flex items-baseline justify-between gap-4 border-t border-hair pt-5">
        <p className="text-lg font-semibold">You pay today</p>
        <p className="font-serif text-3xl font-medium tabular-nums">
          {totalCents === undefined ? '…' : formatDollars(totalCents)}
        </p>
      </div>
    </>
  );
  return intent?.dueAmount === 0 ? (
    <PlaceOrder state={formState} onPlace={() => void placeOrder()}>
      {formNotices}
    </PlaceOrder>
  ) : (
    <PayForm
      intent={intent}
      place={place}
      isSandbox={isSandbox}
      state={formState}
      onPay={(card) => void pay(card)}
      // A wallet prices the cart without gift cards.
      wallets={hasGiftCards ? undefined : { totalCents: formState === 'waiting' ? undefined : totalCents, onPay: pay }}
    >
      {formNotices}
    </PayForm>
  );
}

/** Shown while the bank has not decided about the payment. */
export function WaitingCard({ isLong, onAsk }: { isLong: boolean; onAsk: () => void }) {
  return (
    <Card role="status">
      <h2 className="title-3 flex items-center gap-3">
        {!isLong && <LoaderCircle aria-hidden className="size-6 animate-spin text-accent" />}
        Your payment is processing
      </h2>
      <p className="mt-3 text-muted">
        {isLong
          ? 'Your bank is taking longer than usual. You can close this page. We’ll email you as soon as we know, and you won’t be charged twice.'
          : 'Your bank is confirming the payment. This usually takes a few seconds. You don’t need to do anything.'}
      </p>
      {isLong && (
        <Button look="secondary" className="mt-5" onClick={onAsk}>
          Check again
        </Button>
      )}
    </Card>
  );
}

export function UnconfirmedCard({ words, onAsk }: { words: string; onAsk: () => void }) {
  return (
    <Notice tone="warn" title="We couldn’t confirm your payment yet" className="sm:p-6">
      <p className="mt-1">{words}</p>
      <p className="mt-2">
        Please don’t pay again. If your payment went through, your order is safe and we’ll email you a receipt.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button onClick={onAsk}>Check again</Button>
        <LinkButton look="secondary" to={paths.support}>
          Contact support
        </LinkButton>
      </div>
    </Notice>
  );
}

/** Shown if this checkout is paid, for example after going back. Its button opens the next page. */
function PaidCard({ state, cart }: { state: Extract<PaymentState, { at: 'paid' }>; cart: Cart }) {
  const goTo = useGoTo();
  const { next, session } = state.order;
  return (
    <Card className="text-center">
      <CircleCheck aria-hidden className="mx-auto size-12 text-good" strokeWidth={1.5} />
      <h2 className="title-3 mt-4">Payment Successful</h2>
      <p className="mx-auto mt-3 max-w-md text-muted">
        {state.isElsewhere
          ? 'You paid in another window of this browser. You don’t need to pay again.'
          : 'This order is paid. We’re emailing you the receipt.'}
      </p>
      <div className="mt-7 flex flex-wrap justify-center gap-3">
        <Button onClick={() => goTo(next)}>
          {next === paths.upload ? 'Upload your photos' : 'Finish your registration'}
        </Button>
        {session && (
          <LinkButton look="secondary" to={paths.purchaseSuccess(session)}>
            View your order
          </LinkButton>
        )}
      </div>
      <p className="mt-6 text-[0.9375rem] text-muted">
        Buying another?{' '}
        <Link to={paths.customerDetails(cart)} className="link">
          Start a new order
        </Link>
      </p>
    </Card>
  );
}
