import { ArrowLeft, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { discountText, taxLabel } from '#contract/amount-text.ts';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { formatDollars } from '#contract/catalog.ts';
import { toAsciiText } from '#contract/tidy.ts';
import { send } from '../../data/api.ts';
import { productName } from '../../account/purchase-text.ts';
import { Button } from '../../ui/button.tsx';
import {
  CheckboxField,
  Form,
  FormProblem,
  SelectField,
  SubmitButton,
  TextAreaField,
  useShopForm,
} from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { toast } from '../../ui/toast.ts';
import { DescriptionRow } from '../description-row.tsx';
import { GiftBadge } from '../gift-badge.tsx';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { NotesConflict, readConflictingNotes } from '../notes-conflict.tsx';
import { statuses, statusLabels } from '../search.ts';
import { useMayUseArea, useSessionEnd } from '../session.ts';
import { StatusBadge } from '../status-badge.tsx';
import { WriteToCustomer } from '../tickets/write-to-customer.tsx';
import { UploadLinks } from '../upload-links.tsx';
import { ShippingChecklist, useShippingWarnings } from './before-shipping.tsx';
import { CancelOrder } from './cancel-order.tsx';
import { Disputes, FraudWarnings } from './disputes.tsx';
import { GiftPart } from './gift.tsx';
import { Margin } from './margin.tsx';
import { customerNameText } from './name-of.ts';
import { OrderFrames } from './order-frames.tsx';
import { OrderHistory } from './order-history.tsx';
import { OrderMails } from './order-mails.tsx';
import { ShippingSection } from './shipping-section.tsx';
import { OrderPanelSection } from './order-panel-section.tsx';
import { Refunds } from './refunds.tsx';
import { Returns } from './returns.tsx';
import { ShippingAddressPart } from './shipping-address.tsx';
import { useShowOrder } from './use-show-order.ts';

/**
 * All details of one order: first its state, its actions and its shipping. On wide screens the panel is next to the list, on
 * other screens it replaces the list.
 */
export function OrderPanel({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  const mayUseArea = useMayUseArea();
  useEffect(() => {
    // If the panel replaces the list, focus its title. Next to the list, the focus stays in the list.
    if (!matchMedia('(min-width: 80rem)').matches) title.current?.focus();
  }, []);
  return (
    <section
      aria-label={`Order ${order.orderNumber}`}
      className="rounded-lg border border-hair bg-card xl:sticky xl:top-4 xl:max-h-[calc(100dvh-2rem)] xl:overflow-y-auto"
    >
      <div className="sticky top-0 z-10 flex items-center gap-3 border-b border-hair bg-card/95 px-4 py-2.5 backdrop-blur-sm sm:px-5">
        <Button look="quiet" size="small" onClick={onClose} className="-ml-2 px-3 xl:hidden">
          <ArrowLeft aria-hidden className="size-5" />
          <span className="max-sm:sr-only">Orders</span>
        </Button>
        <h2 ref={title} tabIndex={-1} className="min-w-0 flex-1 truncate text-xl outline-none">
          {order.orderNumber}
        </h2>
        <span className="max-sm:hidden">
          <GiftBadge gift={order.gift} isShipped={order.parcel !== null} />
        </span>
        <StatusBadge order={order} />
        <button
          type="button"
          aria-label="Close order"
          onClick={onClose}
          className="hidden size-11 place-items-center rounded-full hover:bg-linen xl:grid"
        >
          <X aria-hidden className="size-5" />
        </button>
      </div>
      <div className="px-4 text-[0.9375rem] sm:px-5">
        <FraudWarnings order={order} />
        <Disputes disputes={order.disputes} />
      </div>
      <div className="divide-y divide-hair px-4 text-[0.9375rem] sm:px-5">
        <OrderPanelSection title="Status and notes">
          <EditOrder order={order} />
        </OrderPanelSection>
        {order.isShippable && <ShippingSection order={order} />}
        <ShippingAddressPart order={order} />
        <GiftPart order={order} />
        <Returns order={order} />
        {mayUseArea('money') && (
          <>
            <Refunds order={order} />
            <CancelOrder order={order} />
          </>
        )}
        <OrderFrames order={order} />
        <OrderPanelSection title="Customer">
          <p className="font-semibold">
            {order.customerId === null || !mayUseArea('customers') ? (
              customerNameText(order)
            ) : (
              <Link to={`/admin?tab=customers&customer=${order.customerId}`} className="link">
                {customerNameText(order)}
              </Link>
            )}
          </p>
          <Link to={`mailto:${order.customerEmail}`} className="link break-all">
            {order.customerEmail}
          </Link>
          {order.customerPhone && (
            <Link
              to={`tel:${order.customerPhoneE164 ?? toAsciiText(order.customerPhone).replaceAll(/[^\d+]/g, '')}`}
              className="link block w-fit break-all"
            >
              {order.customerPhone}
            </Link>
          )}
          {!mayUseArea('support') ? null : order.customerId === null ? (
            <p className="mt-1 text-muted">
              This customer bought as a guest and doesn’t have an account yet, so there’s no upload link. Send the
              receipt again so they can create an account.
            </p>
          ) : (
            <UploadLinks key={order.customerId} customerId={order.customerId} />
          )}
          {mayUseArea('support') && (
            <div className="my-3">
              <WriteToCustomer
                key={order.id}
                from={{ orderId: order.id }}
                subject={`Your order ${order.orderNumber}`}
                name={customerNameText(order)}
                email={order.customerEmail}
              />
            </div>
          )}
        </OrderPanelSection>
        <OrderPanelSection title="Products">
          <Products order={order} />
        </OrderPanelSection>
        <OrderHistory order={order} />
        <OrderPanelSection title="Details" isFolded>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
            <DescriptionRow label="Product type">
              {productName(order.productType)} ({order.productType})
            </DescriptionRow>
            <DescriptionRow label="Quantity">{order.quantity}</DescriptionRow>
            <DescriptionRow label="Payment intent">
              <span className="font-mono text-sm break-all">{order.stripePaymentIntentId}</span>
            </DescriptionRow>
            <DescriptionRow label="Created">{shortMomentText(order.createdAt)}</DescriptionRow>
            <DescriptionRow label="Updated">{shortMomentText(order.updatedAt)}</DescriptionRow>
          </dl>
        </OrderPanelSection>
        {mayUseArea('money') && <Margin orderId={order.id} />}
        <OrderMails orderId={order.id} />
      </div>
    </section>
  );
}

function Products({ order }: { order: AdminOrder }) {
  const rows = [
    ...order.lines.map((it) => ({
      key: it.label,
      words: it.quantity > 1 ? `${it.label} × ${it.quantity}` : it.label,
      cents: it.amountCents,
    })),
    { key: 'subtotal', words: 'Subtotal', cents: order.subtotalAmount },
    ...(order.discountAmount > 0
      ? [{ key: 'discount', words: discountText(order.promoCode), cents: -order.discountAmount }]
      : []),
    { key: 'tax', words: taxLabel(order), cents: order.taxAmount },
  ];
  return (
    <dl className="space-y-1.5">
      {rows.map(({ key, words, cents }) => (
        <div key={key} className="flex justify-between gap-4">
          <dt>{words}</dt>
          <dd className="tabular-nums">{formatDollars(cents)}</dd>
        </div>
      ))}
      <div className="flex justify-between gap-4 border-t border-hair pt-1.5 font-semibold">
        <dt>Total</dt>
        <dd className="tabular-nums">{formatDollars(order.totalAmount)}</dd>
      </div>
      {order.giftCardAmount > 0 && (
        <>
          <div className="flex justify-between gap-4">
            <dt>Gift card</dt>
            <dd className="tabular-nums">{formatDollars(-order.giftCardAmount)}</dd>
          </div>
          <div className="flex justify-between gap-4">
            <dt>Paid by card</dt>
            <dd className="tabular-nums">{formatDollars(order.totalAmount - order.giftCardAmount)}</dd>
          </div>
        </>
      )}
      {order.refundedAmount > 0 && (
        <>
          <div className="flex justify-between gap-4">
            <dt>Refunded</dt>
            <dd className="tabular-nums">{formatDollars(-order.refundedAmount)}</dd>
          </div>
          <div className="flex justify-between gap-4 font-semibold">
            <dt>After refunds</dt>
            <dd className="tabular-nums">{formatDollars(order.totalAmount - order.refundedAmount)}</dd>
          </div>
        </>
      )}
    </dl>
  );
}

const EditForm = z.object({
  status: z.enum(statuses),
  notes: z.string().check(z.maxLength(5000, 'Please use at most 5000 characters')),
  tellCustomer: z.boolean(),
});

function EditOrder({ order }: { order: AdminOrder }) {
  const showOrder = useShowOrder();
  const handleSessionEnd = useSessionEnd();
  /**
   * The saved notes that the owner is editing. The API reports a conflict if other notes were saved in the meantime.
   */
  const notesBefore = useRef(order.notes);
  const [theirs, setTheirs] = useState<string>();
  const form = useShopForm(EditForm, {
    defaultValues: { status: order.orderStatus, notes: order.notes, tellCustomer: true },
    onSubmit: async ({ status, notes, tellCustomer }) => {
      // Send only changed fields, because someone else may have changed the others.
      const body = {
        ...(status !== order.orderStatus && { status, ...(!tellCustomer && { tellCustomer }) }),
        ...(notes !== notesBefore.current && { notes, notesBefore: notesBefore.current }),
      };
      const updatedOrder = await send('PUT /api/admin/orders/:id', { params: { id: order.id }, body });
      notesBefore.current = updatedOrder.notes;
      showOrder(updatedOrder);
      form.reset({ status: updatedOrder.orderStatus, notes: updatedOrder.notes, tellCustomer: true });
      setTheirs(undefined);
      toast({ title: 'Order Updated', description: `${updatedOrder.orderNumber} is saved.` });
    },
    fallbackText: 'Failed to update order',
    onProblem: (words, error) => {
      setTheirs(readConflictingNotes(error));
      if (readConflictingNotes(error) === undefined)
        toast({ title: 'Update Failed', description: words, destructive: true });
      handleSessionEnd(error);
    },
  });
  // If the saved order changes, show its new status (shipping an order sets it too) and its new notes. Do not replace
  // notes that the owner is editing.
  const { resetField } = form;
  const isNoting = form.getFieldState('notes', form.formState).isDirty;
  useEffect(() => resetField('status', { defaultValue: order.orderStatus }), [resetField, order.orderStatus]);
  useEffect(() => {
    if (isNoting) return;
    notesBefore.current = order.notes;
    resetField('notes', { defaultValue: order.notes });
    // oxlint-disable-next-line react/exhaustive-deps -- only when the API returns other notes
  }, [resetField, order.notes]);
  const applyTheirNotes = (notes: string) => {
    notesBefore.current = notes;
    resetField('notes', { defaultValue: notes });
    setTheirs(undefined);
  };
  const isMarkedShipped = order.isShippable && !order.parcel && form.watch('status') === 'shipped';
  const foundShippingWarnings = useShippingWarnings(isMarkedShipped ? [order] : []);
  const isDirty = form.formState.isDirty;
  return (
    <Form form={form} label="Update order" className="space-y-4">
      {!order.canceledAt && (
        <SelectField
          form={form}
          name="status"
          label="Status"
          hint={isMarkedShipped && 'To add a tracking number, use “Ship order” below.'}
          options={statuses.map((value) => ({ value, label: statusLabels[value] }))}
        />
      )}
      {isMarkedShipped && (
        <CheckboxField
          form={form}
          name="tellCustomer"
          label="Email the customer"
          hint={`We’ll email ${order.customerEmail} that the package is on its way.`}
        />
      )}
      {isMarkedShipped && <ShippingChecklist found={foundShippingWarnings} />}
      <TextAreaField form={form} name="notes" label="Admin notes" hint="Only you see them." optional rows={4} />
      <FormProblem form={form} />
      <div className="flex items-center gap-4">
        <SubmitButton form={form} size="small" busyLabel="Saving...">
          Update Order
        </SubmitButton>
        {isDirty && <p className="text-sm text-warn">Not saved yet</p>}
      </div>
      <UnsavedChangesDialog
        isDirty={isDirty && !form.busy && theirs === undefined}
        isLeft={(now, next) => now.tab !== next.tab || now.order !== next.order}
      />
      {theirs !== undefined && (
        <NotesConflict
          mine={form.getValues('notes')}
          theirs={theirs}
          onKeepMine={() => {
            notesBefore.current = theirs;
            return form.submit();
          }}
          onTakeTheirs={() => applyTheirNotes(theirs)}
          onClose={() => setTheirs(undefined)}
        />
      )}
    </Form>
  );
}
