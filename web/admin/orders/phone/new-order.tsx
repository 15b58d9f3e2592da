import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { addressFormats, type Country } from '#contract/addresses.ts';
import { type Cart, cartLimits, formatDollars, kinframe } from '#contract/catalog.ts';
import { addressForms, type ShippingAddress } from '#contract/customer-details.ts';
import { limits, lifetimes } from '#contract/limits.ts';
import { PhoneCustomerForm, PhoneOrderForm } from '#contract/phone-order-forms.ts';
import { send } from '../../../data/api.ts';
import { errorText } from '../../../data/error-text.ts';
import { AddressInputs } from '../../../ui/address-inputs.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyableLink } from '../../../ui/copyable-link.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Checkbox, Field, Select } from '../../../ui/field.tsx';
import {
  Form,
  FormProblem,
  type ShopForm,
  SubmitButton,
  TextAreaField,
  TextField,
  useShopForm,
} from '../../../ui/form.tsx';
import { Stepper } from '../../../ui/stepper.tsx';
import { toast } from '../../../ui/toast.ts';
import { UnsavedChangesDialog } from '../../keep-or-discard.tsx';
import { useSessionEnd } from '../../session.ts';
import { phoneOrdersQuery } from './phone-orders-query.ts';

interface TypedOrder {
  customer: {
    email: string;
    firstName?: string | undefined;
    lastName?: string | undefined;
    phone?: string | undefined;
    address?: ShippingAddress | undefined;
  };
  promoCode?: string | undefined;
  note?: string | undefined;
}
const fields = { promoCode: PhoneOrderForm.shape.promoCode, note: PhoneOrderForm.shape.note };
const createSchemaWithAddress = (country: Country) =>
  z.object({ customer: z.extend(PhoneCustomerForm, { address: addressForms[country] }), ...fields });
const schemas = {
  none: z.object({ customer: z.omit(PhoneCustomerForm, { address: true }), ...fields }),
  US: createSchemaWithAddress('US'),
  CA: createSchemaWithAddress('CA'),
};
const products = [
  { value: kinframe, label: 'Kinframe Digital Picture Frame' },
  { value: 'byof', label: 'Animation service for their own frame' },
] as const;

/** Makes a cart for a customer who calls, and a link that pays it. */
export default function NewOrder({ onClose }: { onClose: () => void }) {
  const [payUrl, setPayUrl] = useState<string>();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={payUrl ? 'The link is ready' : 'New order by phone'}
      description={
        payUrl
          ? `Send it to the customer. It works for ${lifetimes.phoneOrderDays} days, and for one payment.`
          : 'Put the order together. The customer checks it and pays with a link, at the prices of that day.'
      }
    >
      {payUrl ? (
        <>
          <CopyableLink url={payUrl} what="the payment link" />
          <div className="mt-6 flex justify-end">
            <Button onClick={onClose}>Done</Button>
          </div>
        </>
      ) : (
        <OrderForm onLink={setPayUrl} onSent={onClose} />
      )}
    </Dialog>
  );
}

function OrderForm({ onLink, onSent }: { onLink: (payUrl: string) => void; onSent: () => void }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const [cart, setCart] = useState<Cart>({ productId: kinframe, quantity: 1, extraPackages: 0 });
  const [hasAddress, setHasAddress] = useState(false);
  const [country, setCountry] = useState<Country>('US');
  const sendsLink = useRef(true);
  const isShipped = cart.productId === kinframe;
  const schema = (isShipped && hasAddress ? schemas[country] : schemas.none) as z.ZodMiniType<TypedOrder, TypedOrder>;
  const form = useShopForm<TypedOrder, TypedOrder>(schema, {
    defaultValues: {
      customer: { email: '', firstName: '', lastName: '', phone: '', address: { ...emptyAddress, country: 'US' } },
      promoCode: '',
      note: '',
    },
    onSubmit: async (typed) => {
      const { address, ...customer } = typed.customer;
      const knownCustomer = isShipped && hasAddress && address ? { ...customer, address } : customer;
      const createdOrder = await send('POST /api/admin/phone-orders', {
        body: { ...cart, ...typed, customer: knownCustomer, sends: sendsLink.current },
      });
      form.reset();
      void queryClient.invalidateQueries({ queryKey: phoneOrdersQuery().queryKey });
      if (!sendsLink.current) return onLink(createdOrder.payUrl);
      toast({ title: 'Payment link sent', description: `We’re emailing it to ${customer.email}.` });
      onSent();
    },
    fallbackText: 'Failed to make the order',
    onProblem: (_, error) => handleSessionEnd(error),
  });
  const chosenCountry = form.watch('customer.address.country') === 'CA' ? 'CA' : 'US';
  useEffect(() => {
    if (chosenCountry === country) return;
    setCountry(chosenCountry);
    form.resetField('customer.address.state', { defaultValue: '' });
    form.resetField('customer.address.postalCode', { defaultValue: '' });
    // oxlint-disable-next-line react/exhaustive-deps -- only when the country changes
  }, [chosenCountry]);
  const address = isShipped && hasAddress ? form.watch('customer.address') : undefined;
  const createSubmitHandler = (isEmail: boolean) => () => {
    sendsLink.current = isEmail;
  };
  return (
    <Form form={form} label="New order" className="mt-6 space-y-5">
      <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      <Field label="Product">
        {(tied) => (
          <Select
            {...tied}
            value={cart.productId}
            onChange={({ target }) => {
              const productId = target.value === 'byof' ? 'byof' : kinframe;
              setCart({ ...cart, productId, quantity: productId === 'byof' ? 1 : cart.quantity });
            }}
          >
            {products.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isShipped && (
        <Stepper
          name="frames"
          label="Frames"
          value={cart.quantity}
          least={1}
          most={cartLimits.maxFrames}
          onChange={(quantity) => setCart({ ...cart, quantity })}
        />
      )}
      <Stepper
        name="photo packages"
        label="+10 photo packages"
        value={cart.extraPackages}
        most={cartLimits.maxExtras}
        onChange={(extraPackages) => setCart({ ...cart, extraPackages })}
      />
      <TextField form={form} name="customer.email" label="Customer’s email" type="email" autoComplete="off" />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          form={form}
          name="customer.firstName"
          label="First name"
          autoComplete="off"
          maxLength={100}
          optional
        />
        <TextField form={form} name="customer.lastName" label="Last name" autoComplete="off" maxLength={100} optional />
      </div>
      <TextField
        form={form}
        name="customer.phone"
        label="Phone"
        type="tel"
        autoComplete="off"
        maxLength={40}
        optional
        hint="The customer enters at checkout what you leave out."
      />
      {isShipped && (
        <Checkbox
          label="I have the shipping address"
          checked={hasAddress}
          onChange={({ target }) => setHasAddress(target.checked)}
        />
      )}
      {isShipped && hasAddress && <AddressInputs form={form} country={country} at={(it) => `customer.address.${it}`} />}
      <TextField form={form} name="promoCode" label="Promo code" autoComplete="off" maxLength={40} optional />
      <TextAreaField
        form={form}
        name="note"
        label="Note"
        rows={2}
        maxLength={limits.phoneOrderNoteCharacters}
        optional
        hint="Only you see it. It becomes the note on the order."
      />
      <Total cart={cart} promoCode={form.watch('promoCode') ?? ''} address={address} />
      <FormProblem form={form} />
      <Buttons form={form} submitAs={createSubmitHandler} />
    </Form>
  );
}

const emptyAddress = { line1: '', line2: '', city: '', state: '', postalCode: '' };

function Buttons({
  form,
  submitAs,
}: {
  form: ShopForm<TypedOrder, TypedOrder>;
  submitAs: (isEmail: boolean) => () => void;
}) {
  return (
    // The Enter key submits with the first button.
    <div className="flex flex-row-reverse flex-wrap gap-3">
      <SubmitButton form={form} busyLabel="Sending..." onClick={submitAs(true)}>
        Email the payment link
      </SubmitButton>
      <SubmitButton form={form} look="secondary" onClick={submitAs(false)}>
        Copy the link
      </SubmitButton>
    </div>
  );
}

/** How long to wait after the last typed letter before the shop calculates the price, in ms. */
const pauseMs = 600;

/** The total as the checkout would show it, with the tax if the address is known. */
function Total(props: { cart: Cart; promoCode: string; address: ShippingAddress | undefined }) {
  const { cart, promoCode, address } = props;
  const taxLocation = address && findTaxLocation(address);
  const body = useSettledText(
    JSON.stringify({ ...cart, ...(promoCode.trim() && { promoCode }), ...(taxLocation && { address: taxLocation }) }),
  );
  const { data, error, isFetching } = useQuery({
    queryKey: ['/api', 'price-cart', body],
    queryFn: () => send('POST /api/price-cart', { body: JSON.parse(body) as Cart }),
    placeholderData: (before) => before,
    retry: false,
  });
  if (error && !isFetching)
    return (
      <p role="alert" className="rounded-lg bg-bad-soft p-4 font-medium text-bad">
        {errorText(error)}
      </p>
    );
  const rows: [string, string][] = data
    ? [
        ...data.lines.map(({ label, quantity, amountCents }): [string, string] => [
          quantity > 1 ? `${label} × ${quantity}` : label,
          formatDollars(amountCents),
        ]),
        ...(data.discountAmount > 0
          ? [[`Discount (${data.promoCode})`, formatDollars(-data.discountAmount)] satisfies [string, string]]
          : []),
        ['Tax', data.taxAmount === undefined ? 'once the address is known' : formatDollars(data.taxAmount)],
      ]
    : [];
  return (
    <div className="rounded-lg bg-linen p-4" aria-live="polite" aria-busy={isFetching}>
      <dl className="space-y-1.5">
        {rows.map(([term, value]) => (
          <div key={term} className="flex justify-between gap-4 text-muted">
            <dt>{term}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 text-lg font-semibold">
          <dt>Total</dt>
          <dd className="tabular-nums">{data ? formatDollars(data.totalAmount) : '…'}</dd>
        </div>
      </dl>
    </div>
  );
}

/** The part of a typed address that decides the tax, once its postal code is complete. */
function findTaxLocation({ country, state, city, postalCode }: ShippingAddress) {
  const addressFormat = addressFormats[country === 'CA' ? 'CA' : 'US'];
  const code = addressFormat.tidyPostal(postalCode ?? '');
  if (!addressFormat.postalPattern.test(code)) return undefined;
  return { country, postalCode: code, ...(state && { state }), ...(city && { city }) };
}

/** Returns the newest text once it has not changed for a moment. */
function useSettledText(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
