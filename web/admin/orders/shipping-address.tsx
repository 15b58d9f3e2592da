import { MapPin } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Country } from '#contract/addresses.ts';
import { formatDollars } from '#contract/catalog.ts';
import type { ShippingAddress } from '#contract/customer-details.ts';
import { parcelRecipientName } from '#contract/gifts.ts';
import type { AdminOrder, ChangedAddress } from '#contract/owner/orders.ts';
import { changeAddressForms } from '#contract/shipping-address-forms.ts';
import { send } from '../../data/api.ts';
import { AddressInputs } from '../../ui/address-inputs.tsx';
import { AddressLines } from '../../ui/address-lines.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxField, Form, FormButtons, FormProblem, useShopForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { useSessionEnd } from '../session.ts';
import { OrderPanelSection } from './order-panel-section.tsx';
import { useShowOrder } from './use-show-order.ts';

/** The shipping address of an order, with a button to change it until the order is shipped. */
export function ShippingAddressPart({ order }: { order: AdminOrder }) {
  const [isOpen, setIsOpen] = useState(false);
  const [tax, setTax] = useState<ChangedAddress['tax']>(null);
  const { shippingAddress } = order;
  const text = tax && taxChangeText(tax);
  return (
    <OrderPanelSection title="Shipping address">
      {shippingAddress ? (
        <>
          <p>{parcelRecipientName(order)}</p>
          <AddressLines address={shippingAddress} />
        </>
      ) : (
        <p className="text-muted">This order is for a service, so there’s nothing to ship.</p>
      )}
      {text && (
        <Notice tone="warn" title="Sales tax at the new address" className="mt-3">
          <p>{text}</p>
        </Notice>
      )}
      {shippingAddress && !order.parcel && !order.canceledAt && (
        <Button look="secondary" size="small" className="mt-3" onClick={() => setIsOpen(true)}>
          <MapPin aria-hidden className="size-4.5" />
          Change address...
        </Button>
      )}
      {isOpen && shippingAddress && (
        <AddressDialog {...{ order, shippingAddress }} onChanged={setTax} onClose={() => setIsOpen(false)} />
      )}
    </OrderPanelSection>
  );
}

function AddressDialog(props: {
  order: AdminOrder;
  shippingAddress: NonNullable<AdminOrder['shippingAddress']>;
  onChanged: (tax: ChangedAddress['tax']) => void;
  onClose: () => void;
}) {
  const { order, shippingAddress, onChanged, onClose } = props;
  const showOrder = useShowOrder();
  const handleSessionEnd = useSessionEnd();
  const [country, setCountry] = useState<Country>(shippingAddress.country === 'CA' ? 'CA' : 'US');
  const form = useShopForm<AddressChange, AddressChange>(changeAddressForms[country], {
    defaultValues: { address: shippingAddress as ShippingAddress, tellCustomer: true },
    onSubmit: async (body) => {
      const addressRoute = 'PUT /api/admin/orders/:id/shipping-address';
      const changeResponse = await send(addressRoute, { params: { id: order.id }, body });
      showOrder(changeResponse.order);
      onChanged(changeResponse.tax);
      toast({
        title: 'Address changed',
        description: body.tellCustomer ? 'We’re emailing the customer.' : 'We didn’t email the customer.',
      });
      onClose();
    },
    fallbackText: 'Failed to change the address',
    onProblem: (_words, error) => handleSessionEnd(error),
  });
  // The validation depends on the country. A new country clears the state and postal code.
  const chosenCountry = form.watch('address.country');
  useEffect(() => {
    if (chosenCountry === country) return;
    setCountry(chosenCountry);
    form.resetField('address.state', { defaultValue: '' });
    form.resetField('address.postalCode', { defaultValue: '' });
    // oxlint-disable-next-line react/exhaustive-deps -- only when the country changes
  }, [chosenCountry]);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Change the shipping address"
      description={`The package for order ${order.orderNumber} goes to ${parcelRecipientName(order)}.`}
    >
      <Form form={form} label="Shipping address" className="mt-6 space-y-5">
        <AddressInputs form={form} country={country} at={(it) => `address.${it}`} />
        <CheckboxField
          form={form}
          name="tellCustomer"
          label="Email the customer"
          hint={`We’ll send the new address to ${order.customerEmail}.`}
        />
        <FormProblem form={form} />
        <FormButtons form={form} words="Change address" busyLabel="Changing..." />
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}

interface AddressChange {
  address: ShippingAddress;
  tellCustomer: boolean;
}

/**
 * Says how the sales tax differs at a new address. A change of the address does not charge or refund the difference.
 */
export function taxChangeText({ paid, now }: NonNullable<ChangedAddress['tax']>): string | undefined {
  if (now === null)
    return 'We couldn’t calculate the sales tax at the new address. The customer paid the tax for the old one.';
  if (now === paid) return undefined;
  const newTaxText = `Sales tax at the new address is ${formatDollars(now)}. The customer paid ${formatDollars(paid)}.`;
  return now < paid
    ? `${newTaxText} You can refund the difference of ${formatDollars(paid - now)} above.`
    : `${newTaxText} We won’t charge the difference of ${formatDollars(now - paid)}.`;
}
