import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { lazy, useEffect, useEffectEvent, useState } from 'react';
import type { DefaultValues } from 'react-hook-form';
import type { Cart } from '#contract/catalog.ts';
import { addressFormats, countries, type Country } from '#contract/addresses.ts';
import {
  detailsForms,
  taxedDigitalForms,
  type CustomerDetails,
  type ShippingAddress,
} from '#contract/customer-details.ts';
import { isGiftShippingDay } from '#contract/gifts.ts';
import { limits } from '#contract/limits.ts';
import { useGoTo } from '../account/customer.ts';
import { useHydrated } from '../ui/use-hydrated.ts';
import { orderSummaryQuery } from '../account/order-queries.ts';
import { productsQuery } from '../data/queries.ts';
import { exceedsFrameStock, useFramesLeft } from '../data/stock.ts';
import { paths } from '../paths.ts';
import { AddressInputs } from '../ui/address-inputs.tsx';
import { Button } from '../ui/button.tsx';
import { Form, FormProblem, SelectField, type ShopForm, SubmitButton, TextField, useShopForm } from '../ui/form.tsx';
import { Link } from '../ui/link.tsx';
import { LazyBoundary } from '../ui/lazy-boundary.tsx';
import { Card, Notice } from '../ui/surfaces.tsx';
import { Assurances } from './assurances.tsx';
import { useEnteredGiftCards } from './gift-card-field.tsx';
import type { IncompleteWallet } from './express/use-express-checkout.ts';
import { GiftFields, giftFieldSchemas } from './gift-fields.tsx';
import { isShipped } from '../data/cart.ts';
import { CheckoutLayout } from './checkout-layout.tsx';
import { OrderSummary } from './order-summary.tsx';
import { PaidOrderNotice } from './paid-order-notice.tsx';
import { beginNewOrder } from '../data/payment-memory.ts';
import { StockNotice } from './stock-notice.tsx';
import { usePromoCode } from './promo-code.ts';
import {
  addressFields,
  storeTypedDetails,
  type DetailsDraft,
  createDetailsFromOrder,
  storeDetails,
  storeDraft,
  taxLocationOf,
  useDetailsDraft,
  useStoredDetails,
} from './stored-details.ts';

const ExpressCheckout = lazy(() => import('./express/express-checkout.tsx'));

/**
 * Step 1 of checkout: the buyer's details and the shipping address. The form is prefilled with earlier input, otherwise
 * with the details of the customer's last order.
 */
export function CustomerDetailsPage({ cart, collectsTax }: { cart: Cart; collectsTax: boolean }) {
  const { data } = useQuery(orderSummaryQuery());
  const [lastOrder] = data?.orders ?? [];
  const draft = useDetailsDraft();
  const storedDetails = useStoredDetails();
  const knownDetails = storedDetails ?? (lastOrder && createDetailsFromOrder(lastOrder));
  const [wallet, setWallet] = useState<IncompleteWallet>();
  const typedDetails = { ...knownDetails, ...draft, ...(draft && { gift: draft.gift }) };
  return (
    <DetailsStep
      // A new form for each wallet that gave half an address: the form has the wallet's values.
      key={wallet ? `wallet ${JSON.stringify(wallet)}` : (draft ?? storedDetails) ? 'stored' : 'new'}
      {...{ cart, collectsTax, known: knownDetails, wallet }}
      typed={wallet ? wallet.draft : typedDetails}
      onIncompleteWallet={(incomplete) => {
        storeDraft(incomplete.draft);
        setWallet(incomplete);
      }}
    />
  );
}

interface Step {
  cart: Cart;
  collectsTax: boolean;
  known: CustomerDetails | undefined;
  /** The form's initial values: the last typed input, otherwise the known details. */
  typed: DetailsDraft;
}

interface DetailsStepProps extends Step {
  /** The wallet whose details were not enough. Its values are in `typed`. */
  wallet: IncompleteWallet | undefined;
  onIncompleteWallet: (wallet: IncompleteWallet) => void;
}

function DetailsStep({ cart, collectsTax, known: knownDetails, typed, wallet, onIncompleteWallet }: DetailsStepProps) {
  const { data: products = [] } = useQuery(productsQuery());
  const isCartShipped = isShipped(cart);
  const promo = usePromoCode(cart);
  // A wallet charges the whole price, so a buyer with gift cards pays at the next step.
  const { codes: giftCards } = useEnteredGiftCards();
  const framesLeft = useFramesLeft();
  const { form, country, isGift, setGift, takeOwnAddress } = useDetailsForm({
    cart,
    collectsTax,
    known: knownDetails,
    typed,
  });
  const [openedAt] = useState(Date.now);
  const isHydrated = useHydrated();
  // Shows an error at each field that the wallet left out, and focuses the first one.
  const showMissing = useEffectEvent(() => {
    if (wallet) void form.trigger(undefined, { shouldFocus: true });
  });
  useEffect(() => showMissing(), []);
  const shipOn = isGift ? form.watch('gift.shipOn') : undefined;
  return (
    <CheckoutLayout
      step={1}
      cart={cart}
      title="Customer Details"
      lede={
        isCartShipped
          ? 'Who is ordering, and where should we send the frame?'
          : 'Tell us where to email you when your videos are ready.'
      }
      back={
        <Link to={paths.home} className="link inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden className="size-4.5" />
          Back to Home
        </Link>
      }
      summary={
        <OrderSummary
          {...{ cart, products, promo, collectsTax }}
          country={isCartShipped ? country : undefined}
          shipOn={shipOn && isGiftShippingDay(shipOn, openedAt) ? shipOn : undefined}
        />
      }
      assurances={<Assurances shipped={isCartShipped} />}
    >
      <PaidOrderNotice />
      <StockNotice cart={cart} framesLeft={framesLeft} />
      {wallet && (
        <Notice tone="warn" title="Your wallet left something out" className="mb-6">
          <p className="mt-1">Nothing was charged. We filled in what your wallet gave us. Please add:</p>
          <ul className="mt-1 list-disc pl-5">
            {wallet.missing.map((label) => (
              <li key={label}>{label}</li>
            ))}
          </ul>
        </Notice>
      )}
      {isHydrated && !isGift && !wallet && giftCards.length === 0 && !exceedsFrameStock(cart, framesLeft) && (
        <LazyBoundary instead={null}>
          <ExpressCheckout cart={cart} promoCode={promo.discount?.code} onIncomplete={onIncompleteWallet} />
        </LazyBoundary>
      )}
      <Card className={exceedsFrameStock(cart, framesLeft) ? 'mt-6' : undefined}>
        <Form form={form} label="Customer details" className="space-y-8">
          <fieldset className="space-y-5">
            <legend className="title-3 mb-5">Contact</legend>
            <div className="grid gap-5 sm:grid-cols-2">
              <TextField form={form} name="firstName" label="First name" autoComplete="given-name" maxLength={100} />
              <TextField form={form} name="lastName" label="Last name" autoComplete="family-name" maxLength={100} />
            </div>
            <TextField
              form={form}
              name="email"
              label="Email"
              type="email"
              autoComplete="email"
              inputMode="email"
              hint="We’ll send your receipt here and let you know when your videos are ready."
            />
            <p className="-mt-3 text-[0.9375rem] text-muted">
              If you leave at the payment, we may remind you of your cart here, twice at most.{' '}
              <Link to={`${paths.privacy}#cart-reminders`} className="link">
                Learn more
              </Link>
            </p>
            <TextField
              form={form}
              name="phone"
              label="Phone"
              type="tel"
              autoComplete="tel"
              inputMode="tel"
              maxLength={40}
              optional
              hint={isCartShipped ? 'Only for questions about delivery.' : undefined}
            />
          </fieldset>
          {isCartShipped && <GiftFields {...{ form, isGift }} onGift={setGift} />}
          {isCartShipped && <AddressFields {...{ form, country, isGift, takeOwnAddress }} />}
          {!isCartShipped && collectsTax && <TaxLocationFields form={form} country={country} />}
          <FormProblem form={form} />
          <SubmitButton form={form} wide size="large" disabled={exceedsFrameStock(cart, framesLeft)}>
            Continue to payment
          </SubmitButton>
        </Form>
      </Card>
    </CheckoutLayout>
  );
}

interface AddressProps {
  form: ShopForm<CustomerDetails, CustomerDetails>;
  country: ShippingAddress['country'];
}

/** Asks where the buyer of the byof service lives. The service needs no shipping address, but its tax needs a place. */
function TaxLocationFields({ form, country }: AddressProps) {
  const addressFormat = addressFormats[country];
  return (
    <fieldset className="space-y-5">
      <legend className="title-3 mb-5">Sales tax</legend>
      <p className="text-muted">Sales tax depends on where you live. This is all we need of your address.</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          form={form}
          name="taxLocation.country"
          label="Country"
          autoComplete="billing country"
          options={countries.map(({ code, name }) => ({ value: code, label: name }))}
        />
        <TextField
          form={form}
          name="taxLocation.postalCode"
          label={addressFormat.postalLabel}
          autoComplete="billing postal-code"
          inputMode={addressFormat.postalInputMode}
          maxLength={20}
        />
      </div>
    </fieldset>
  );
}

interface ShippingProps extends AddressProps {
  isGift: boolean;
  /** Fills in the buyer's own address. Undefined if it is not known. */
  takeOwnAddress: (() => void) | undefined;
}

function AddressFields({ form, country, isGift, takeOwnAddress }: ShippingProps) {
  return (
    <fieldset className="space-y-5">
      <legend className="title-3 mb-5">{isGift ? 'Where the gift goes' : 'Shipping address'}</legend>
      {isGift && (
        <TextField
          form={form}
          name="gift.recipientName"
          label="Recipient’s name"
          autoComplete="off"
          maxLength={limits.recipientNameCharacters}
          hint="Enter their address below, or yours if you want to give them the gift yourself."
        />
      )}
      {isGift && (
        <TextField
          form={form}
          name="gift.recipientPhone"
          type="tel"
          label="Recipient’s phone number"
          optional
          autoComplete="off"
          hint={
            country === 'CA'
              ? 'Carriers need it for customs, and may call about the delivery. We don’t call.'
              : 'The carrier may call about the delivery. We don’t call.'
          }
        />
      )}
      {isGift && takeOwnAddress && !form.watch('address.line1') && (
        <Button look="secondary" size="small" onClick={takeOwnAddress}>
          Send it to my own address
        </Button>
      )}
      <AddressInputs {...{ form, country }} at={(it) => `address.${it}`} autoComplete="shipping" />
    </fieldset>
  );
}

function useDetailsForm({ cart, collectsTax, known: knownDetails, typed }: Step) {
  const goTo = useGoTo();
  const addressField = isShipped(cart) ? 'address' : collectsTax ? 'taxLocation' : undefined;
  const begunAddress = addressField === 'address' ? typed.address : taxLocationOf(typed);
  const [isGift, setGift] = useState(isShipped(cart) && typed.gift !== undefined);
  const [country, setCountry] = useState<Country>(begunAddress?.country === 'CA' ? 'CA' : 'US');
  const form = useShopForm<CustomerDetails, CustomerDetails>(
    // The fields on the page and the validation depend on the cart.
    isGift ? giftFieldSchemas[country] : chooseFormSchema(addressField, country),
    {
      // Do not include an address or a tax location whose fields are not on the page: the buyer could not correct it.
      defaultValues: {
        ...typed,
        address: undefined,
        taxLocation: undefined,
        ...(addressField && { [addressField]: begunAddress }),
      } as DefaultValues<CustomerDetails>,
      onSubmit: (details) => {
        // The byof service does not ask for an address or a gift. Keep the stored ones for a later order of a frame.
        const { address, gift } = (addressField !== 'address' && knownDetails) || details;
        beginNewOrder();
        storeDetails({ ...details, ...(address && { address }), ...(gift && { gift }) });
        goTo(paths.checkout(cart));
      },
    },
  );
  useEffect(() => {
    storeTypedDetails(form.getValues(), typed);
    // oxlint-disable-next-line react/exhaustive-deps -- on mount only, with what was typed before hydration
  }, []);
  // Store each change, so that a reload loses nothing.
  useEffect(() => {
    const { unsubscribe } = form.watch((values) => storeDraft(createDraft(values, isGift)));
    return unsubscribe;
    // oxlint-disable-next-line react/exhaustive-deps -- the form is a new object on each render
  }, [isGift]);
  // The validation depends on the country, which is chosen in this form. A new country clears the state and postal
  // code.
  const chosenCountry = form.watch(`${addressField ?? 'address'}.country`) === 'CA' ? 'CA' : 'US';
  useEffect(() => {
    if (chosenCountry === country || !addressField) return;
    setCountry(chosenCountry);
    if (addressField === 'address') form.resetField('address.state', { defaultValue: '' });
    form.resetField(`${addressField}.postalCode`, { defaultValue: '' });
    // oxlint-disable-next-line react/exhaustive-deps -- only when the country changes
  }, [chosenCountry]);
  // The shipping address is either the buyer's or the gift recipient's. When the buyer turns the gift on or off, do not
  // keep the address of the other person.
  const ownAddress = knownDetails?.gift ? undefined : knownDetails?.address;
  const isCurrentAddress = (address: AddressValues) =>
    addressFields.every((it) => (form.getValues(`address.${it}`) ?? '') === (address[it] ?? ''));
  const fillAddress = (address: AddressValues) => {
    for (const addressFieldName of addressFields)
      form.setValue(`address.${addressFieldName}`, address[addressFieldName] ?? '');
  };
  const takeOwnAddress = ownAddress && (() => fillAddress(ownAddress));
  const chooseGift = (chosenGift: boolean) => {
    const addressBefore = chosenGift ? ownAddress : knownDetails?.gift && knownDetails.address;
    if (addressBefore && isCurrentAddress(addressBefore)) fillAddress({});
    else if (!chosenGift && isCurrentAddress({})) takeOwnAddress?.();
    storeDraft(createDraft(form.getValues(), chosenGift));
    setGift(chosenGift);
  };
  return { form, country, isGift, setGift: chooseGift, takeOwnAddress };
}

type AddressValues = { [Field in (typeof addressFields)[number]]?: string | undefined };

/** The draft to store. It contains the gift fields only if the order is a gift. */
const createDraft = ({ gift, ...rest }: DetailsDraft, isGift: boolean): DetailsDraft =>
  isGift ? { ...rest, gift: gift ?? {} } : rest;

function chooseFormSchema(addressField: 'address' | 'taxLocation' | undefined, country: ShippingAddress['country']) {
  if (addressField === 'address') return detailsForms[country];
  return addressField === 'taxLocation' ? taxedDigitalForms[country] : detailsForms.digital;
}
