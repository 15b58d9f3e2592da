import { FileDown, Printer, Truck } from 'lucide-react';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { ShipmentForm } from '#contract/shipment-forms.ts';
import { trackingUrl } from '#contract/tracking.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { CheckboxField, Form, FormButtons, FormProblem, TextField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { KeepOrDiscard } from '../keep-or-discard.tsx';
import { useCan, useSessionEnd } from '../session.ts';
import { StepUpDownload } from '../step-up/step-up-download.tsx';
import { CarrierInput, carrierHint } from './carrier-input.tsx';
import { BeforeShipping, useShippingWarnings } from './before-shipping.tsx';
import { EarlyGiftWarning } from './gift.tsx';
import { OrderPanelSection } from './order-panel-section.tsx';
import { useShowOrder } from './use-show-order.ts';

/** The shipping state of an order, and a button to ship the order or change its package. */
export function ShippingSection({ order }: { order: AdminOrder }) {
  const can = useCan();
  const [isOpen, setIsOpen] = useState(false);
  const { parcel } = order;
  return (
    <OrderPanelSection title="Package">
      {parcel ? <Sent parcel={parcel} /> : <p className="text-muted">{notShippedText(order)}</p>}
      <div className="mt-3 flex flex-wrap gap-3">
        {!order.canceledAt && can('fulfillment') && (
          <Button look="secondary" size="small" onClick={() => setIsOpen(true)}>
            <Truck aria-hidden className="size-4.5" />
            {parcel ? 'Change package...' : 'Ship order...'}
          </Button>
        )}
        <LinkButton look="secondary" size="small" to={paths.packingSlips([order.id])}>
          <Printer aria-hidden className="size-4.5" />
          Packing slip
        </LinkButton>
        {!order.canceledAt && order.shippingAddress && can('fulfillment') && (
          <StepUpDownload look="secondary" size="small" to={paths.labelAddresses([order.id])}>
            <FileDown aria-hidden className="size-4.5" />
            Address as CSV
          </StepUpDownload>
        )}
      </div>
      {isOpen && <ShipDialog order={order} onClose={() => setIsOpen(false)} />}
    </OrderPanelSection>
  );
}

function notShippedText({ canceledAt, refundedAmount, totalAmount }: AdminOrder): string {
  if (canceledAt) return 'Canceled. Please don’t ship it.';
  return refundedAmount === totalAmount ? 'Refunded. Please don’t ship it unless you agreed to.' : 'Not shipped yet.';
}

function Sent({ parcel: { shippedAt, carrier, trackingNumber } }: { parcel: NonNullable<AdminOrder['parcel']> }) {
  const url = trackingUrl(carrier, trackingNumber);
  return (
    <>
      <p>Sent {shortMomentText(shippedAt)}</p>
      {!carrier && !trackingNumber && <p className="text-muted">Without a tracking number.</p>}
      {carrier && (
        <p>
          {carrier} <span className="font-mono text-sm break-all select-all">{trackingNumber}</span>
        </p>
      )}
      {url && (
        <p>
          <a href={url} target="_blank" rel="noreferrer" className="link">
            Track the package, opens in a new tab
          </a>
        </p>
      )}
    </>
  );
}

function ShipDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const { parcel, shippingAddress: to } = order;
  const showOrder = useShowOrder();
  const noteEnd = useSessionEnd();
  const [key] = useState(() => crypto.randomUUID());
  const found = useShippingWarnings(parcel ? [] : [order]);
  const shipLabel = found.warned.length > 0 ? 'Ship anyway' : 'Mark as shipped';
  const form = useShopForm(ShipmentForm, {
    defaultValues: {
      carrier: parcel?.carrier ?? '',
      trackingNumber: parcel?.trackingNumber ?? '',
      tellCustomer: true,
      tellAgain: false,
    },
    onSubmit: async (shipment) => {
      const body = { ...shipment, key };
      showOrder(await send('POST /api/admin/orders/:id/shipment', { params: { id: order.id }, body }));
      toast(
        parcel
          ? {
              title: 'Package Saved',
              description: shipment.tellAgain
                ? 'We’re emailing the customer again.'
                : 'We didn’t email the customer again.',
            }
          : {
              title: 'Order Shipped',
              description: shipment.tellCustomer ? 'We’re emailing the customer.' : 'We didn’t email the customer.',
            },
      );
      onClose();
    },
    fallbackText: 'Failed to update order',
    onProblem: (_words, error) => noteEnd(error),
  });
  const { error } = form.getFieldState('carrier', form.formState);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={parcel ? 'Change the package' : 'Ship the order'}
      description={
        parcel
          ? `Order ${order.orderNumber} was sent ${shortMomentText(parcel.shippedAt)}.`
          : `We’ll mark order ${order.orderNumber} as shipped.`
      }
    >
      {!parcel && <EarlyGiftWarning gift={order.gift} />}
      <BeforeShipping found={found} />
      <Form form={form} label="Package" className="mt-6 space-y-5">
        <Field label="Carrier" optional hint={carrierHint} error={error?.message}>
          {(tied) => <CarrierInput {...tied} {...form.register('carrier')} />}
        </Field>
        <TextField form={form} name="trackingNumber" label="Tracking number" optional autoComplete="off" />
        {!parcel && (
          <CheckboxField
            form={form}
            name="tellCustomer"
            label="Email the customer"
            hint={`We’ll email ${order.customerEmail} that the package is on its way${to ? ` to ${to.city}, ${to.state}` : ''}.`}
          />
        )}
        {parcel && (
          <CheckboxField
            form={form}
            name="tellAgain"
            label="Email the customer again"
            hint="We’ll send the shipping email again with these details."
          />
        )}
        <FormProblem form={form} />
        <FormButtons
          form={form}
          words={parcel ? 'Save package' : shipLabel}
          notYet={found.isChecking ? 'Checking photos and videos...' : undefined}
          busyLabel={parcel ? 'Saving...' : 'Shipping...'}
        />
        <KeepOrDiscard isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}
