import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CancelForm } from '#contract/cancel-forms.ts';
import { formatDollars } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import type { AdminOrder, Cancellation } from '#contract/owner/orders.ts';
import { ApiError, query, type RouteInput } from '../../data/api.ts';
import { errorText, isOffline, isRefusal } from '../../data/error-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldError } from '../../ui/field.tsx';
import { CheckboxField, Form, FormButtons, TextAreaField, useShopForm } from '../../ui/form.tsx';
import { Notice, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from '../session.ts';
import { sendWithStepUp } from '../step-up/step-up.ts';
import { cancelTexts } from './cancel-text.ts';
import { customerNameText } from './name-of.ts';
import { useShowOrder } from './use-show-order.ts';

type Body = RouteInput<'POST /api/admin/orders/:id/cancellation'>[0]['body'];

/** Asks what happens to the photos and who is emailed, and shows all consequences before the order is canceled. */
export function CancelDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const {
    data: offer,
    error,
    refetch,
  } = useQuery({
    ...query('/api/admin/orders/:id/cancellation', { params: { id: order.id } }),
    ...uncachedQueryOptions,
    gcTime: 0,
  });
  useSessionEndOn(error);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Cancel this order?"
      description={`Order ${order.orderNumber}, ${customerNameText(order)}`}
    >
      {!offer && !error && <Skeleton className="mt-6 h-96" />}
      {!offer && error && (
        <LoadErrorNotice
          title="We couldn’t load this order"
          notFoundTitle="We couldn’t find this order"
          error={error}
          onRetry={refetch}
          className="mt-6"
        />
      )}
      {offer?.refusal && (
        <Notice tone="warn" title="This order can’t be canceled anymore" className="mt-6">
          It changed after you opened it. Close this window to see what’s new.
        </Notice>
      )}
      {offer && !offer.refusal && <CancelOrderForm order={order} offer={offer} onRefused={refetch} onClose={onClose} />}
    </Dialog>
  );
}

interface CancelFormProps {
  order: AdminOrder;
  offer: Cancellation;
  onRefused: () => unknown;
  onClose: () => void;
}

function CancelOrderForm({ order, offer, onRefused, onClose }: CancelFormProps) {
  /** An idempotency key: this dialog cancels and refunds once, even if the request is repeated. */
  const [key] = useState(() => crypto.randomUUID());
  const showOrder = useShowOrder();
  const handleSessionEnd = useSessionEnd();
  const hasPictures = offer.photos + offer.deliveredVideos > 0;
  const form = useShopForm(CancelForm, {
    defaultValues: {
      reason: '',
      photos: hasPictures ? (undefined as unknown as 'keep') : 'keep',
      tellCustomer: order.customerEmail !== '',
    },
    onSubmit: (answers) => cancel({ ...answers, refundAmount: offer.refundAmount, key }),
  });
  const cancel = async (body: Body) => {
    try {
      showOrder(await sendWithStepUp('POST /api/admin/orders/:id/cancellation', { params: { id: order.id }, body }));
      toast({
        title: 'Order canceled',
        description: `${formatDollars(offer.refundAmount)} is being refunded. ${body.tellCustomer ? 'We’re emailing the customer.' : 'We didn’t email the customer.'}`,
      });
      form.reset();
      onClose();
    } catch (error) {
      if (isRefusal(error, 'step-up-needed')) return; // the owner canceled the step-up: keep the dialog open
      toast({
        title: isOffline(error) ? 'No response' : 'Not canceled',
        description: isOffline(error)
          ? 'The shop didn’t respond. Please try again. You won’t refund anything twice.'
          : errorText(error, 'Failed to cancel the order'),
        destructive: true,
      });
      handleSessionEnd(error);
      if (error instanceof ApiError && error.status < 500) void onRefused();
    }
  };
  const { photos, tellCustomer } = form.watch();
  return (
    <Form form={form} label="Cancel order" className="mt-6 space-y-5">
      <RefundList offer={offer} promoCode={order.promoCode} />
      {hasPictures && (
        <fieldset>
          <legend className="mb-1.5 font-semibold">
            {countText(offer.photos, 'photo')}
            {offer.deliveredVideos > 0 && ` and ${countText(offer.deliveredVideos, 'delivered video')}`}
          </legend>
          <div className="grid gap-2">
            <PhotosChoice form={form} value="keep" label="Keep" hint="They stay until the customer deletes them." />
            <PhotosChoice
              form={form}
              value="erase"
              label="Delete"
              hint="We’ll delete them right away, with all copies. You can’t undo this."
            />
          </div>
          <FieldError words={form.getFieldState('photos', form.formState).error?.message} />
        </fieldset>
      )}
      <TextAreaField
        form={form}
        name="reason"
        label="Reason"
        rows={2}
        hint="The customer sees this in the email and in the order history."
      />
      {order.customerEmail && (
        <CheckboxField
          form={form}
          name="tellCustomer"
          label="Email the customer"
          hint={`We’ll send one email to ${order.customerEmail} with the refund and the reason.`}
        />
      )}
      <div>
        <h3 className="font-semibold">What happens</h3>
        <ul aria-live="polite" className="mt-1.5 list-disc space-y-1 pl-5">
          {cancelTexts(offer, { photos, tellCustomer: tellCustomer ? order.customerEmail : undefined }).map((words) => (
            <li key={words} className="wrap-anywhere">
              {words}
            </li>
          ))}
        </ul>
      </div>
      <FormButtons
        form={form}
        words={`Cancel order, refund ${formatDollars(offer.refundAmount)}`}
        busyLabel="Canceling..."
        backLabel="Keep order"
        isDestructive
      />
      <UnsavedChangesDialog isDirty={form.formState.isDirty && !form.busy} />
    </Form>
  );
}

/** The refunds, one line for each order. */
function RefundList({
  offer: { refunds, refundAmount },
  promoCode,
}: {
  offer: Cancellation;
  promoCode: string | null;
}) {
  return (
    <dl className="space-y-1 rounded-lg bg-linen p-4">
      {refunds.map(({ orderNumber, amount, paidAmount, taxAmount, isAddOn }) => (
        <div key={orderNumber} className="flex flex-wrap justify-between gap-x-4">
          <dt>
            {isAddOn ? `Extra photos, ${orderNumber}` : orderNumber}
            <span className="block text-sm text-muted">
              {amount < paidAmount
                ? `The rest of ${formatDollars(paidAmount)}`
                : `Full amount${taxAmount > 0 ? `, including ${formatDollars(taxAmount)} tax` : ''}`}
              {!isAddOn && promoCode !== null && `, after promo code ${promoCode}`}
            </span>
          </dt>
          <dd className="tabular-nums">{formatDollars(amount)}</dd>
        </div>
      ))}
      <div className="flex justify-between gap-4 border-t border-hair pt-1 font-semibold">
        <dt>Refund</dt>
        <dd className="tabular-nums">{formatDollars(refundAmount)}</dd>
      </div>
    </dl>
  );
}

function PhotosChoice(props: {
  form: { register: (name: 'photos') => object };
  value: 'keep' | 'erase';
  label: string;
  hint: string;
}) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 rounded-lg border border-hair bg-card px-4 py-2.5 has-checked:border-accent has-checked:outline-2 has-checked:outline-accent has-focus-visible:outline-3 has-focus-visible:outline-accent">
      <input
        type="radio"
        value={props.value}
        className="mt-0.5 size-5 shrink-0 accent-accent"
        {...props.form.register('photos')}
      />
      <span>
        <span className="font-semibold">{props.label}</span>
        <span className="block text-sm text-muted">{props.hint}</span>
      </span>
    </label>
  );
}
