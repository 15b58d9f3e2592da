import { Truck } from 'lucide-react';
import { useState } from 'react';
import type { DefaultValues } from 'react-hook-form';
import { formatDollars } from '#contract/catalog.ts';
import { LabelParcelForm, LabelRateForm } from '#contract/label-forms.ts';
import type { AdminLabel, LabelRate } from '#contract/owner/labels.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { send } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldError } from '../../ui/field.tsx';
import { Form, FormButtons, FormProblem, useFirstFocus, useShopForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { useSessionEnd } from '../session.ts';
import { rateDaysText, labelText } from './label-text.ts';
import {
  CustomsFields,
  packageDefaultsOf,
  NumberField,
  packageSchema,
  toCustomsBody,
  type CustomsDefaults,
  type PackageForm,
} from './label-customs.tsx';
import { LabelPdfs } from './labels.tsx';
import { useRefreshLabels } from './use-refresh-labels.ts';

interface Quote {
  label: AdminLabel;
  rates: LabelRate[];
  warnings: string[];
}

interface Props {
  order: AdminOrder;
  /** The package of the last label. */
  parcel: LabelParcelForm;
  /** The defaults of the customs form. Null if the package needs none. */
  customs: CustomsDefaults | null;
  /** Opens the dialog that marks the order as shipped. Undefined if it is shipped. */
  onShip: ((label: AdminLabel) => void) | undefined;
  onClose: () => void;
}

/** Asks for the package, shows the prices of all carriers, and buys the chosen label once. */
export function BuyLabelDialog({ order, parcel: last, customs, onShip, onClose }: Props) {
  const [values, setValues] = useState(() => packageDefaultsOf(last, customs));
  const [quote, setQuote] = useState<Quote>();
  const [label, setLabel] = useState<AdminLabel>();
  const shippingAddress = order.shippingAddress;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={label?.state === 'bought' ? 'The label is bought' : 'Buy a shipping label'}
      description={`Order ${order.orderNumber}${shippingAddress ? `, to ${shippingAddress.city}, ${shippingAddress.state}` : ''}`}
    >
      {label ? (
        <BoughtNotice label={label} onShip={onShip} onClose={onClose} />
      ) : quote ? (
        <Rates
          key={quote.label.id}
          order={order}
          quote={quote}
          onBack={() => setQuote(undefined)}
          onBought={setLabel}
        />
      ) : (
        <Package
          order={order}
          values={values}
          customs={customs}
          onQuote={(asked, found) => {
            // The owner certifies the customs form again before each request.
            setValues({ ...asked, customs: asked.customs && { ...asked.customs, isCertified: false } });
            setQuote(found);
          }}
        />
      )}
    </Dialog>
  );
}

const measures = [
  { name: 'weight', label: 'Weight in ounces' },
  { name: 'length', label: 'Length in inches' },
  { name: 'width', label: 'Width in inches' },
  { name: 'height', label: 'Height in inches' },
] as const;

function Package(props: {
  order: AdminOrder;
  values: DefaultValues<PackageForm>;
  customs: CustomsDefaults | null;
  onQuote: (values: PackageForm, quote: Quote) => void;
}) {
  const { customs } = props;
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm<PackageForm, PackageForm>(packageSchema(customs), {
    defaultValues: props.values,
    onSubmit: async (values) => {
      const params = { id: props.order.id };
      const body = { ...values, customs: values.customs && toCustomsBody(values.customs) };
      props.onQuote(values, await send('POST /api/admin/orders/:id/label-rates', { params, body }));
    },
    fallbackText: 'Failed to read the prices',
    onProblem: (_words, error) => handleSessionEnd(error),
  });
  useFirstFocus(form, 'weight');
  return (
    <Form form={form} label="Package" className="mt-6 space-y-5">
      <p className="text-muted">Weigh the packed box, and measure its outside.</p>
      <div className="grid gap-5 min-[24rem]:grid-cols-2">
        {measures.map((it) => (
          <NumberField key={it.name} form={form} {...it} />
        ))}
      </div>
      {customs && <CustomsFields form={form} customs={customs} />}
      <FormProblem form={form} />
      <FormButtons form={form} words="Get prices" busyLabel="Getting prices..." />
    </Form>
  );
}

function Rates(props: { order: AdminOrder; quote: Quote; onBack: () => void; onBought: (label: AdminLabel) => void }) {
  const { label, rates, warnings } = props.quote;
  const handleSessionEnd = useSessionEnd();
  const refresh = useRefreshLabels(props.order.id);
  const form = useShopForm(LabelRateForm, {
    defaultValues: { rateId: rates[0]!.id },
    onSubmit: async (body) => {
      try {
        props.onBought(await send('POST /api/admin/labels/:id/buy', { params: { id: label.id }, body }));
      } finally {
        refresh();
      }
    },
    fallbackText: 'Failed to buy the label',
    onProblem: (_words, error) => handleSessionEnd(error),
  });
  useFirstFocus(form, 'rateId');
  const chosenRate = rates.find((it) => it.id === form.watch('rateId'));
  const { error } = form.getFieldState('rateId', form.formState);
  return (
    <Form form={form} label="Prices" className="mt-6 space-y-5">
      {warnings.length > 0 && (
        <Notice tone="warn" title="The label service says">
          <ul className="list-disc pl-5">
            {[...new Set(warnings)].map((it) => (
              <li key={it} className="[overflow-wrap:anywhere]">
                {it}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <fieldset>
        <legend className="mb-1.5 font-semibold">Service</legend>
        <div className="grid max-h-96 gap-2 overflow-y-auto p-1">
          {rates.map((rate) => (
            <RateChoice key={rate.id} rate={rate} registered={form.register('rateId')} />
          ))}
        </div>
        <FieldError words={error?.message} />
      </fieldset>
      <FormProblem form={form} />
      <FormButtons
        form={form}
        words={chosenRate ? `Buy label for ${formatDollars(chosenRate.amount)}` : 'Buy label'}
        busyLabel="Buying..."
        backLabel="Back to the package"
        onCancel={props.onBack}
      />
    </Form>
  );
}

function RateChoice({ rate, registered }: { rate: LabelRate; registered: object }) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 rounded-lg border border-hair bg-card px-4 py-2.5 has-checked:border-accent has-checked:outline-2 has-checked:outline-accent has-focus-visible:outline-3 has-focus-visible:outline-accent">
      <input type="radio" value={rate.id} className="mt-0.5 size-5 shrink-0 accent-accent" {...registered} />
      <span className="min-w-0 flex-1">
        <span className="flex justify-between gap-4 font-semibold">
          <span className="min-w-0 break-words">
            {rate.carrier} {rate.service}
          </span>
          <span className="tabular-nums">{formatDollars(rate.amount)}</span>
        </span>
        <span className="block text-sm text-muted">{rateDaysText(rate)}</span>
      </span>
    </label>
  );
}

function BoughtNotice({ label, onShip, onClose }: { label: AdminLabel; onShip: Props['onShip']; onClose: () => void }) {
  if (label.state !== 'bought')
    return (
      <Notice title="The label is being bought" className="mt-6">
        This order shows it in a moment.
      </Notice>
    );
  return (
    <div className="mt-6 space-y-4">
      <div>
        <p className="font-semibold">{labelText(label)}</p>
        <p className="font-mono text-sm break-all select-all">{label.trackingNumber}</p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <LabelPdfs label={label} />
      </div>
      <div className="flex flex-wrap justify-end gap-3 pt-4">
        <Button look="secondary" onClick={onClose}>
          Done
        </Button>
        {onShip && (
          <Button onClick={() => onShip(label)}>
            <Truck aria-hidden className="size-4.5" />
            Mark as shipped...
          </Button>
        )}
      </div>
    </div>
  );
}
