import { useQuery } from '@tanstack/react-query';
import { FileDown, Printer, Tag, Truck } from 'lucide-react';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminLabel } from '#contract/owner/labels.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { labelsRefusals } from '#contract/refusals/labels.ts';
import { ShipmentForm } from '#contract/shipment-forms.ts';
import { trackingUrl } from '#contract/tracking.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { CheckboxField, Form, FormButtons, FormProblem, TextField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { uncachedQueryOptions, useMayUseArea, useSessionEnd, useSessionEndOn } from '../session.ts';
import { StepUpDownload } from '../step-up/step-up-download.tsx';
import { BuyLabelDialog } from './buy-label.tsx';
import { CarrierInput, carrierHint } from './carrier-input.tsx';
import { ShippingChecklist, useShippingWarnings } from './before-shipping.tsx';
import { EarlyGiftWarning } from './gift.tsx';
import { currentLabelOf, isLabelUnfinished } from './label-text.ts';
import { Labels } from './labels.tsx';
import { labelsQuery } from './labels-query.ts';
import { OrderPanelSection } from './order-panel-section.tsx';
import { useShowOrder } from './use-show-order.ts';

/** The shipping state of an order, and a button to ship the order or change its package. */
export function ShippingSection({ order }: { order: AdminOrder }) {
  const mayUseArea = useMayUseArea();
  const [isOpen, setIsOpen] = useState(false);
  const [isBuying, setIsBuying] = useState(false);
  const { parcel } = order;
  const { data: labels, error } = useQuery({
    ...labelsQuery(order.id),
    ...uncachedQueryOptions,
    enabled: mayUseArea('fulfillment'),
    refetchInterval: ({ state }) => (state.data?.labels.some(isLabelUnfinished) ? 5000 : false),
  });
  useSessionEndOn(error);
  const refusal = labels?.isOn && labels.refusal;
  return (
    <OrderPanelSection title="Package">
      {parcel ? <ShippedParcel parcel={parcel} /> : <p className="text-muted">{notShippedText(order)}</p>}
      {labels?.isOn && <Labels order={order} labels={labels.labels} />}
      {(refusal === 'label-country' || refusal === 'label-sender-missing') && (
        <p className="mt-2 text-muted">{labelsRefusals[refusal].words}</p>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        {labels?.isOn && labels.refusal === null && (
          <Button look="secondary" size="small" onClick={() => setIsBuying(true)}>
            <Tag aria-hidden className="size-4.5" />
            Buy a label...
          </Button>
        )}
        {!order.canceledAt && mayUseArea('fulfillment') && (
          <Button look="secondary" size="small" onClick={() => setIsOpen(true)}>
            <Truck aria-hidden className="size-4.5" />
            {parcel ? 'Change package...' : 'Ship order...'}
          </Button>
        )}
        <LinkButton look="secondary" size="small" to={paths.packingSlips([order.id])}>
          <Printer aria-hidden className="size-4.5" />
          Packing slip
        </LinkButton>
        {!order.canceledAt && order.shippingAddress && mayUseArea('fulfillment') && (
          <StepUpDownload look="secondary" size="small" to={paths.labelAddresses([order.id])}>
            <FileDown aria-hidden className="size-4.5" />
            Address as CSV
          </StepUpDownload>
        )}
      </div>
      {isBuying && labels && (
        <BuyLabelDialog
          order={order}
          parcel={labels.parcel}
          customs={labels.customs}
          onShip={
            parcel
              ? undefined
              : () => {
                  setIsBuying(false);
                  setIsOpen(true);
                }
          }
          onClose={() => setIsBuying(false)}
        />
      )}
      {isOpen && <ShipDialog order={order} label={currentLabelOf(labels?.labels)} onClose={() => setIsOpen(false)} />}
    </OrderPanelSection>
  );
}

function notShippedText({ canceledAt, refundedAmount, totalAmount }: AdminOrder): string {
  if (canceledAt) return 'Canceled. Please don’t ship it.';
  return refundedAmount === totalAmount ? 'Refunded. Please don’t ship it unless you agreed to.' : 'Not shipped yet.';
}

function ShippedParcel({
  parcel: { shippedAt, carrier, trackingNumber, deliveredAt },
}: {
  parcel: NonNullable<AdminOrder['parcel']>;
}) {
  const url = trackingUrl(carrier, trackingNumber);
  return (
    <>
      <p>Sent {shortMomentText(shippedAt)}</p>
      {deliveredAt && <p>Delivered {shortMomentText(deliveredAt)}</p>}
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

interface ShipDialogProps {
  order: AdminOrder;
  /** The label that was bought for the package. */
  label: AdminLabel | undefined;
  onClose: () => void;
}

function ShipDialog({ order, label, onClose }: ShipDialogProps) {
  const { parcel, shippingAddress: to } = order;
  const showOrder = useShowOrder();
  const handleSessionEnd = useSessionEnd();
  const [key] = useState(() => crypto.randomUUID());
  const foundShippingWarnings = useShippingWarnings(parcel ? [] : [order]);
  const shipButtonText = foundShippingWarnings.warned.length > 0 ? 'Ship anyway' : 'Mark as shipped';
  const form = useShopForm(ShipmentForm, {
    defaultValues: {
      carrier: (parcel ?? label)?.carrier ?? '',
      trackingNumber: (parcel ?? label)?.trackingNumber ?? '',
      tellCustomer: true,
      tellAgain: false,
    },
    onSubmit: async (shipment) => {
      const body = { ...shipment, key };
      showOrder(await send('POST /api/admin/orders/:id/shipment', { params: { id: order.id }, body }));
      toast(
        parcel
          ? {
              title: 'Package saved',
              description: shipment.tellAgain
                ? 'We’re emailing the customer again.'
                : 'We didn’t email the customer again.',
            }
          : {
              title: 'Order shipped',
              description: shipment.tellCustomer ? 'We’re emailing the customer.' : 'We didn’t email the customer.',
            },
      );
      onClose();
    },
    fallbackText: 'Failed to update order',
    onProblem: (_words, error) => handleSessionEnd(error),
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
      <ShippingChecklist found={foundShippingWarnings} />
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
          words={parcel ? 'Save package' : shipButtonText}
          notYet={foundShippingWarnings.isChecking ? 'Checking photos and videos...' : undefined}
          busyLabel={parcel ? 'Saving...' : 'Shipping...'}
        />
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}
