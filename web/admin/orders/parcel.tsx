import { Truck } from 'lucide-react';
import { useId, useState } from 'react';
import { shortMomentWords } from '#contract/calendar.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { ShipmentForm } from '#contract/shipment-forms.ts';
import { carriers, trackingUrl } from '#contract/tracking.ts';
import { send } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { CheckboxField, Form, FormButtons, FormProblem, TextField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { KeepOrDiscard } from '../keep-or-discard.tsx';
import { useSessionEnd } from '../session.ts';
import { EarlyGift } from './gift.tsx';
import { Part } from './part.tsx';
import { useShowOrder } from './use-show-order.ts';

/** Where an order's parcel is, and the way to send it off. */
export function Parcel({ order }: { order: AdminOrder }) {
  const [isOpen, setIsOpen] = useState(false);
  const { parcel } = order;
  return (
    <Part title="Parcel">
      {parcel ? <Sent parcel={parcel} /> : <p className="text-muted">Not sent yet.</p>}
      <Button look="secondary" size="small" className="mt-3" onClick={() => setIsOpen(true)}>
        <Truck aria-hidden className="size-4.5" />
        {parcel ? 'Change parcel...' : 'Ship order...'}
      </Button>
      {isOpen && <ShipDialog order={order} onClose={() => setIsOpen(false)} />}
    </Part>
  );
}

function Sent({ parcel: { shippedAt, carrier, trackingNumber } }: { parcel: NonNullable<AdminOrder['parcel']> }) {
  const url = trackingUrl(carrier, trackingNumber);
  return (
    <>
      <p>Sent {shortMomentWords(shippedAt)}</p>
      {!carrier && !trackingNumber && <p className="text-muted">Without a tracking number.</p>}
      {carrier && (
        <p>
          {carrier} <span className="font-mono text-sm break-all select-all">{trackingNumber}</span>
        </p>
      )}
      {url && (
        <p>
          <a href={url} target="_blank" rel="noreferrer" className="link">
            Follow the parcel, opens in a new tab
          </a>
        </p>
      )}
    </>
  );
}

function ShipDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const { parcel, shippingAddress: to } = order;
  const listId = useId();
  const showOrder = useShowOrder();
  const noteEnd = useSessionEnd();
  const [key] = useState(() => crypto.randomUUID());
  const form = useShopForm(ShipmentForm, {
    defaultValues: { carrier: parcel?.carrier ?? '', trackingNumber: parcel?.trackingNumber ?? '', tellAgain: false },
    onSubmit: async (shipment) => {
      const body = { ...shipment, key };
      showOrder(await send('POST /api/admin/orders/:id/shipment', { params: { id: order.id }, body }));
      toast(
        parcel
          ? {
              title: 'Parcel Saved',
              description: shipment.tellAgain ? 'The customer is told again.' : 'The customer was not told again.',
            }
          : { title: 'Order Shipped', description: 'The customer is told by mail.' },
      );
      onClose();
    },
    fallbackWords: 'Failed to update order',
    onProblem: (_words, error) => noteEnd(error),
  });
  const { error } = form.getFieldState('carrier', form.formState);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={parcel ? 'Change the parcel' : 'Ship the order'}
      description={
        parcel
          ? `Order ${order.orderNumber} was sent ${shortMomentWords(parcel.shippedAt)}.`
          : `Order ${order.orderNumber} is set to shipped, and ${order.customerEmail} gets a mail that it is on its way${to ? ` to ${to.city}, ${to.state}` : ''}.`
      }
    >
      {!parcel && <EarlyGift gift={order.gift} />}
      <Form form={form} label="Parcel" className="mt-6 space-y-5">
        <Field
          label="Carrier"
          optional
          hint="USPS, UPS, FedEx and Canada Post get a link to follow the parcel."
          error={error?.message}
        >
          {(tied) => (
            <>
              <TextInput {...tied} list={listId} autoComplete="off" {...form.register('carrier')} />
              <datalist id={listId}>
                {carriers.map((it) => (
                  <option key={it}>{it}</option>
                ))}
              </datalist>
            </>
          )}
        </Field>
        <TextField form={form} name="trackingNumber" label="Tracking number" optional autoComplete="off" />
        {parcel && (
          <CheckboxField
            form={form}
            name="tellAgain"
            label="Tell the customer again"
            hint="Sends the shipping mail once more, with what is written here."
          />
        )}
        <FormProblem form={form} />
        <FormButtons
          form={form}
          words={parcel ? 'Save parcel' : 'Mark as shipped'}
          busyWords={parcel ? 'Saving...' : 'Shipping...'}
        />
        <KeepOrDiscard isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}
