import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { DefaultValues } from 'react-hook-form';
import type { Cart } from '#contract/catalog.ts';
import { addressStyles, countries, type Country } from '#contract/addresses.ts';
import {
  detailsForms,
  taxedDigitalForms,
  type CustomerDetails,
  type ShippingAddress,
} from '#contract/customer-details.ts';
import { isShipDay } from '#contract/gifts.ts';
import { limits } from '#contract/limits.ts';
import { useGoTo } from '../account/customer.ts';
import { orderSummaryQuery } from '../account/order-queries.ts';
import { productsQuery } from '../data/queries.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Form, FormProblem, SelectField, type ShopForm, SubmitButton, TextField, useShopForm } from '../ui/form.tsx';
import { Link } from '../ui/link.tsx';
import { Card } from '../ui/surfaces.tsx';
import { Assurances } from './assurances.tsx';
import { GiftFields, giftForms } from './gift-fields.tsx';
import { isShipped } from '../data/cart.ts';
import { CheckoutLayout } from './checkout-layout.tsx';
import { OrderSummary } from './order-summary.tsx';
import { beginNewOrder } from '../data/payment-memory.ts';
import { usePromoCode } from './promo-code.ts';
import {
  addressFields,
  addTyped,
  type DetailsDraft,
  detailsOf,
  storeDetails,
  storeDraft,
  taxLocationOf,
  useDetailsDraft,
  useStoredDetails,
} from './stored-details.ts';

/** Step 1 of checkout: who buys, and where a frame goes. What was entered before is there again, else as last time. */
export function CustomerDetailsPage({ cart, collectsTax }: { cart: Cart; collectsTax: boolean }) {
  const { data } = useQuery(orderSummaryQuery());
  const [lastOrder] = data?.orders ?? [];
  const draft = useDetailsDraft();
  const stored = useStoredDetails();
  const known = stored ?? (lastOrder && detailsOf(lastOrder));
  return (
    <DetailsStep
      key={(draft ?? stored) ? 'stored' : 'new'}
      {...{ cart, collectsTax, known }}
      typed={{ ...known, ...draft, ...(draft && { gift: draft.gift }) }}
    />
  );
}

interface Step {
  cart: Cart;
  collectsTax: boolean;
  known: CustomerDetails | undefined;
  /** What the form begins with: what was typed into it last, else what is known. */
  typed: DetailsDraft;
}

function DetailsStep({ cart, collectsTax, known, typed }: Step) {
  const { data: products = [] } = useQuery(productsQuery());
  const shipped = isShipped(cart);
  const promo = usePromoCode(cart);
  const { form, country, isGift, setGift, takeOwnAddress } = useDetailsForm({ cart, collectsTax, known, typed });
  const [openedAt] = useState(Date.now);
  const shipOn = isGift ? form.watch('gift.shipOn') : undefined;
  return (
    <CheckoutLayout
      step={1}
      cart={cart}
      title="Customer Details"
      lede={
        shipped
          ? 'Who is ordering, and where should we send the frame?'
          : 'Tell us where to write when your videos are ready.'
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
          country={shipped ? country : undefined}
          shipOn={shipOn && isShipDay(shipOn, openedAt) ? shipOn : undefined}
        />
      }
      assurances={<Assurances shipped={shipped} />}
    >
      <Card>
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
              hint="Your receipt goes here, and the news that your videos are ready."
            />
            <TextField
              form={form}
              name="phone"
              label="Phone"
              type="tel"
              autoComplete="tel"
              inputMode="tel"
              maxLength={40}
              optional
              hint={shipped ? 'Only for questions about the delivery.' : undefined}
            />
          </fieldset>
          {shipped && <GiftFields {...{ form, isGift }} onGift={setGift} />}
          {shipped && <AddressFields {...{ form, country, isGift, takeOwnAddress }} />}
          {!shipped && collectsTax && <TaxLocationFields form={form} country={country} />}
          <FormProblem form={form} />
          <SubmitButton form={form} wide size="large">
            Continue to Payment
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

/** The service is sent by e-mail, but taxed where its buyer lives. */
function TaxLocationFields({ form, country }: AddressProps) {
  const style = addressStyles[country];
  return (
    <fieldset className="space-y-5">
      <legend className="title-3 mb-5">Sales tax</legend>
      <p className="text-muted">It depends on where you live. We ask for no more of your address than this.</p>
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
          label={style.postalLabel}
          autoComplete="billing postal-code"
          inputMode={style.postalInputMode}
          maxLength={20}
        />
      </div>
    </fieldset>
  );
}

interface ShippingProps extends AddressProps {
  isGift: boolean;
  /** Where the buyer's own address is known. */
  takeOwnAddress: (() => void) | undefined;
}

function AddressFields({ form, country, isGift, takeOwnAddress }: ShippingProps) {
  const style = addressStyles[country];
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
          hint="The address below is theirs, or yours if you would rather hand it over yourself."
        />
      )}
      {isGift && takeOwnAddress && !form.watch('address.line1') && (
        <Button look="secondary" size="small" onClick={takeOwnAddress}>
          Send it to my own address
        </Button>
      )}
      <SelectField
        form={form}
        name="address.country"
        label="Country"
        autoComplete="shipping country"
        options={countries.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <TextField
        form={form}
        name="address.line1"
        label="Address"
        autoComplete="shipping address-line1"
        maxLength={200}
      />
      <TextField
        form={form}
        name="address.line2"
        label="Apartment, suite, unit"
        autoComplete="shipping address-line2"
        maxLength={200}
        optional
      />
      <TextField form={form} name="address.city" label="City" autoComplete="shipping address-level2" maxLength={100} />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          form={form}
          name="address.state"
          label={style.regionLabel}
          autoComplete="shipping address-level1"
          options={[{ value: '', label: style.chooseRegion }, ...style.regions]}
        />
        <TextField
          form={form}
          name="address.postalCode"
          label={style.postalLabel}
          autoComplete="shipping postal-code"
          inputMode={style.postalInputMode}
          maxLength={20}
        />
      </div>
    </fieldset>
  );
}

function useDetailsForm({ cart, collectsTax, known, typed }: Step) {
  const goTo = useGoTo();
  const place = isShipped(cart) ? 'address' : collectsTax ? 'taxLocation' : undefined;
  const begun = place === 'address' ? typed.address : taxLocationOf(typed);
  const [isGift, setGift] = useState(isShipped(cart) && typed.gift !== undefined);
  const [country, setCountry] = useState<Country>(begun?.country === 'CA' ? 'CA' : 'US');
  const form = useShopForm<CustomerDetails, CustomerDetails>(
    // What is asked for goes with the cart, and so do the fields on the page.
    isGift ? giftForms[country] : formOf(place, country),
    {
      // A place that no field shows could be wrong, and nobody could mend it.
      defaultValues: {
        ...typed,
        address: undefined,
        taxLocation: undefined,
        ...(place && { [place]: begun }),
      } as DefaultValues<CustomerDetails>,
      onSubmit: (details) => {
        // What the service does not ask for stays, for a frame after it.
        const { address, gift } = (place !== 'address' && known) || details;
        beginNewOrder();
        storeDetails({ ...details, ...(address && { address }), ...(gift && { gift }) });
        goTo(paths.checkout(cart));
      },
    },
  );
  useEffect(() => {
    addTyped(form.getValues(), typed);
    // oxlint-disable-next-line react/exhaustive-deps -- before anything is known of this tab, and only then
  }, []);
  // Kept with each change, so that a reload loses nothing.
  useEffect(() => {
    const { unsubscribe } = form.watch((values) => storeDraft(draftOf(values, isGift)));
    return unsubscribe;
    // oxlint-disable-next-line react/exhaustive-deps -- the form is another one at each rendering
  }, [isGift]);
  // The rules follow the country, which is chosen in the form itself. What belonged to the other one goes.
  const chosen = form.watch(`${place ?? 'address'}.country`) === 'CA' ? 'CA' : 'US';
  useEffect(() => {
    if (chosen === country || !place) return;
    setCountry(chosen);
    if (place === 'address') form.resetField('address.state', { defaultValue: '' });
    form.resetField(`${place}.postalCode`, { defaultValue: '' });
    // oxlint-disable-next-line react/exhaustive-deps -- happens when the country changes, and only then
  }, [chosen]);
  // An address goes with whose it is: the buyer's own is not the recipient's unless they say so, nor the other way round.
  const own = known?.gift ? undefined : known?.address;
  const isNow = (address: Place) =>
    addressFields.every((it) => (form.getValues(`address.${it}`) ?? '') === (address[it] ?? ''));
  const write = (address: Place) => {
    for (const it of addressFields) form.setValue(`address.${it}`, address[it] ?? '');
  };
  const takeOwnAddress = own && (() => write(own));
  const chooseGift = (chosenGift: boolean) => {
    const before = chosenGift ? own : known?.gift && known.address;
    if (before && isNow(before)) write({});
    else if (!chosenGift && isNow({})) takeOwnAddress?.();
    storeDraft(draftOf(form.getValues(), chosenGift));
    setGift(chosenGift);
  };
  return { form, country, isGift, setGift: chooseGift, takeOwnAddress };
}

type Place = { [Field in (typeof addressFields)[number]]?: string | undefined };

/** What was typed about a gift is kept as long as it is one. */
const draftOf = ({ gift, ...rest }: DetailsDraft, isGift: boolean): DetailsDraft =>
  isGift ? { ...rest, gift: gift ?? {} } : rest;

function formOf(place: 'address' | 'taxLocation' | undefined, country: ShippingAddress['country']) {
  if (place === 'address') return detailsForms[country];
  return place === 'taxLocation' ? taxedDigitalForms[country] : detailsForms.digital;
}
