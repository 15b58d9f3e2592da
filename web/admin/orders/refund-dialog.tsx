import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { formatDollars, includedPhotoCounts } from '#contract/catalog.ts';
import { parseDollarsToCents, countRefundedPackages, refundFormSchema } from '#contract/refund-forms.ts';
import { countText } from '#contract/count-text.ts';
import { isOpenReturn } from '#contract/return-forms.ts';
import type { ReturnView } from '#contract/returns.ts';
import { type ApiResponseBody, ApiError, query } from '../../data/api.ts';
import { errorText, isOffline, isRefusal } from '../../data/error-text.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { CheckboxField, Form, FormButtons, TextAreaField, TextField, useShopForm } from '../../ui/form.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from '../session.ts';
import { sendWithStepUp } from '../step-up/step-up.ts';
import { cardText, giftCardsText } from './card-text.ts';
import { orderReturnsQuery } from './order-returns-query.ts';
import { customerNameText } from './name-of.ts';
import { useShowOrder } from './use-show-order.ts';

type RefundOffer = ApiResponseBody<'GET /api/admin/orders/:id/refunds'>;

/** Asks for the amount and the reason of a refund. Then shows its consequences and asks for confirmation. */
export function RefundDialog({
  order,
  returnId,
  onClose,
}: {
  order: AdminOrder;
  /** The return that the owner refunds. Without it, the dialog proposes a return whose package has arrived. */
  returnId?: string;
  onClose: () => void;
}) {
  const returns = useQuery({ ...orderReturnsQuery(order.id), ...uncachedQueryOptions });
  const {
    data: offer,
    error,
    refetch,
  } = useQuery({
    ...query('/api/admin/orders/:id/refunds', { params: { id: order.id } }),
    ...uncachedQueryOptions,
    gcTime: 0,
  });
  useSessionEndOn(error);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Refund"
      description={`Order ${order.orderNumber}, ${customerNameText(order)}`}
    >
      {(!offer || returns.isPending) && !error && <Skeleton className="mt-6 h-72" />}
      {!offer && error && (
        <LoadErrorNotice
          title="We couldn’t load this order"
          notFoundTitle="We couldn’t find this order"
          error={error}
          onRetry={refetch}
          className="mt-6"
        />
      )}
      {offer?.remainingAmount === 0 && <p className="mt-6">This order has already been refunded in full.</p>}
      {offer && offer.remainingAmount > 0 && !returns.isPending && (
        <RefundAmountForm
          order={order}
          offer={offer}
          returns={returns.data?.filter(isOpenReturn) ?? []}
          returnId={returnId}
          onRefused={() => Promise.all([refetch(), returns.refetch()])}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface SubmittedRefund {
  amountCents: number;
  reason: string;
  withdrawPhotos: boolean;
  tellCustomer: boolean;
  /** Whether the refund ends the links to the order's videos. */
  endsLinks: boolean;
  photos: number;
  /** The amount of the order that is left after the refund, in cents. */
  rest: number;
}

function RefundAmountForm(props: {
  order: AdminOrder;
  offer: RefundOffer;
  /** The open returns of the order. */
  returns: ReturnView[];
  returnId: string | undefined;
  onRefused: () => unknown;
  onClose: () => void;
}) {
  const { order, offer, returns, onRefused, onClose } = props;
  const refundableAmount = offer.remainingAmount;
  const proposedReturnId = props.returnId ?? returns.find((it) => it.state === 'received')?.id ?? '';
  const [returnId, setReturnId] = useState(proposedReturnId);
  const endedReturn = returns.find((it) => it.id === returnId);
  const [submitted, setSubmitted] = useState<SubmittedRefund>();
  /** An idempotency key: this dialog makes at most one refund, even if the request is repeated. */
  const [key] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  const showOrder = useShowOrder();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(refundFormSchema(refundableAmount, formatDollars(refundableAmount)), {
    defaultValues: {
      dollars: (refundableAmount / 100).toFixed(2),
      reason: '',
      withdrawPhotos: true,
      tellCustomer: true,
      endLinks: false,
    },
    onSubmit: ({ dollars, reason, withdrawPhotos, tellCustomer, endLinks }) => {
      const amountCents = parseDollarsToCents(dollars);
      const isFullRefund = amountCents === refundableAmount;
      const photoCount = isFullRefund || withdrawPhotos ? countWithdrawnPhotos(amountCents) : 0;
      setSubmitted({
        amountCents,
        reason,
        withdrawPhotos: isFullRefund ? endLinks : withdrawPhotos,
        tellCustomer,
        endsLinks: isFullRefund && endLinks,
        photos: photoCount,
        rest: refundableAmount - amountCents,
      });
    },
  });
  const countWithdrawnPhotos = (cents: number) =>
    cents === refundableAmount
      ? offer.unusedPhotos
      : countRefundedPackages(cents, offer.packageAmount, offer.unusedPackages) * includedPhotoCounts.extraPackage;
  const cents = parseDollarsToCents(form.watch('dollars'));
  const photoCount = cents >= 1 && cents <= refundableAmount ? countWithdrawnPhotos(cents) : 0;

  const showRefundMade = (changed: AdminOrder) => {
    const requestedRefund = changed.refunds.find((it) => it.id === key);
    if (!requestedRefund) return false;
    showOrder(changed);
    toast({
      title: 'Refund on its way',
      description: `The customer will get ${formatDollars(requestedRefund.amount)} back.`,
    });
    onClose();
    return true;
  };
  /** After a lost response: loads the order and returns whether it contains the refund. */
  const isMadeAfterAll = async () => {
    const currentOrderQuery = query('/api/admin/orders/:id', { params: { id: order.id } });
    const currentOrder = await queryClient
      .fetchQuery({ ...currentOrderQuery, staleTime: 0, networkMode: 'always' })
      .catch(() => undefined);
    return currentOrder !== undefined && showRefundMade(currentOrder);
  };
  const refund = async () => {
    if (!submitted) return;
    const { amountCents, reason, withdrawPhotos, tellCustomer } = submitted;
    const body = {
      amountCents,
      reason,
      withdrawPhotos,
      tellCustomer,
      key,
      ...(endedReturn && { returnId: endedReturn.id }),
    };
    try {
      showRefundMade(await sendWithStepUp('POST /api/admin/orders/:id/refunds', { params: { id: order.id }, body }));
    } catch (error) {
      if (isRefusal(error, 'step-up-needed')) throw error; // the owner canceled the step-up: keep the dialog open
      const hasNoResponse = isOffline(error);
      if (hasNoResponse && (await isMadeAfterAll())) return;
      toast({
        title: hasNoResponse ? 'No response' : 'Refund failed',
        description: hasNoResponse ? noResponseText : errorText(error, 'Failed to refund'),
        destructive: true,
      });
      handleSessionEnd(error);
      const isRefused = error instanceof ApiError && error.status < 500;
      if (!isRefused) throw error; // keep the dialog open
      void onRefused(); // load the remaining amount again, so that the owner can enter another amount
    }
  };

  return (
    <>
      <Form form={form} label="Refund" className="mt-6 space-y-5">
        <TextField
          form={form}
          name="dollars"
          label="Amount in dollars"
          inputMode="decimal"
          autoComplete="off"
          hint={`You can refund up to ${formatDollars(refundableAmount)} of ${formatDollars(order.totalAmount)}.`}
        />
        <TextAreaField
          form={form}
          name="reason"
          label="Reason"
          rows={3}
          hint="The customer sees this in the order history, and in the email if you send one."
        />
        {returns.length > 0 && (
          <Field
            label="For a return"
            hint="The refund ends the return. The customer sees that it was refunded."
            optional
          >
            {(tied) => (
              <Select {...tied} value={returnId} onChange={(event) => setReturnId(event.currentTarget.value)}>
                <option value="">No return</option>
                {returns.map(({ id, frames }) => (
                  <option key={id} value={id}>
                    {frames.join(', ')}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {cents === refundableAmount && photoCount > 0 && (
          <p>
            This refunds everything, so we’ll remove the unused room for {countText(photoCount, 'photo')}. Photos that
            were already uploaded stay, and the customer can still finish them.
          </p>
        )}
        {cents === refundableAmount && (
          <CheckboxField
            form={form}
            name="endLinks"
            label="End the links to this order’s videos"
            hint="The delivery page, shared links, player and downloads will say that the order was refunded."
          />
        )}
        {cents !== refundableAmount && photoCount > 0 && (
          <CheckboxField
            form={form}
            name="withdrawPhotos"
            label={`Remove room for ${photoCount} unused photos`}
            hint={`We remove the +${includedPhotoCounts.extraPackage} packages that this amount covers, at ${formatDollars(offer.packageAmount)} each.`}
          />
        )}
        {order.customerEmail && (
          <CheckboxField
            form={form}
            name="tellCustomer"
            label="Email the customer"
            hint={`We’ll email ${order.customerEmail} about the refund.`}
          />
        )}
        <FormButtons form={form} words="Continue" />
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
      <ConfirmDialog
        open={submitted !== undefined}
        onOpenChange={(open) => !open && setSubmitted(undefined)}
        title={submitted ? `Refund ${formatDollars(submitted.amountCents)}?` : 'Refund?'}
        description={
          submitted && <RefundConsequences order={order} offer={offer} submitted={submitted} ended={endedReturn} />
        }
        confirmLabel={submitted ? `Refund ${formatDollars(submitted.amountCents)}` : 'Refund'}
        busyLabel="Refunding..."
        destructive
        onConfirm={refund}
      />
    </>
  );
}

const noResponseText =
  'The shop didn’t respond, and we don’t see a refund yet. Please try again. The customer won’t be refunded twice.';

/** Where the amount goes: first to the card, then to the gift cards. */
function refundLines(amountCents: number, { card, remainingAmount, giftCardAmount, giftCards }: RefundOffer): string[] {
  const cardAmount = Math.min(amountCents, remainingAmount - giftCardAmount);
  const giftCardsAmount = amountCents - cardAmount;
  return [
    ...(cardAmount > 0 ? [`We’ll refund ${formatDollars(cardAmount)} to ${cardText(card)}.`] : []),
    ...(giftCardsAmount > 0
      ? [`We’ll put ${formatDollars(giftCardsAmount)} back on ${giftCardsText(giftCards)}.`]
      : []),
  ];
}

function RefundConsequences(props: {
  order: AdminOrder;
  offer: RefundOffer;
  submitted: SubmittedRefund;
  ended: ReturnView | undefined;
}) {
  const { order, offer, submitted, ended } = props;
  const { amountCents, tellCustomer, endsLinks, photos, rest } = submitted;
  const consequenceTexts = [
    ...refundLines(amountCents, offer),
    rest > 0 ? `That leaves ${formatDollars(rest)} of the order.` : 'This refunds the whole order.',
    photos > 0 && `We’ll remove the unused room for ${countText(photos, 'photo')}.`,
    endsLinks && 'Links to its videos will stop working.',
    ended && `This ends the return of ${ended.frames.join(', ')}.`,
    order.customerEmail && (tellCustomer ? `We’ll email ${order.customerEmail}.` : 'We won’t email the customer.'),
    'You can’t undo this.',
  ].filter((it): it is string => !!it);
  return consequenceTexts.map((words) => (
    <span key={words} className="mt-1 block break-words">
      {words}
    </span>
  ));
}
