import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { money, photosIncluded } from '#contract/catalog.ts';
import { centsOf, packagesCovered, refundForm } from '#contract/refund-forms.ts';
import { counted } from '#contract/count-words.ts';
import { type Answer, ApiError, query, send } from '../../data/api.ts';
import { errorWords, isOffline } from '../../data/error-words.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { CheckboxField, Form, FormButtons, TextAreaField, TextField, useShopForm } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { KeepOrDiscard } from '../keep-or-discard.tsx';
import { NotLoaded } from '../not-loaded.tsx';
import { fresh, useSessionEnd, useSessionEndOn } from '../session.ts';
import { nameOf } from './name-of.ts';
import { useShowOrder } from './use-show-order.ts';

type Offer = Answer<'GET /api/admin/orders/:id/refunds'>;

/** How much, and why; then what will happen, before it does. */
export function RefundDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const {
    data: offer,
    error,
    refetch,
  } = useQuery({ ...query('/api/admin/orders/:id/refunds', { params: { id: order.id } }), ...fresh, gcTime: 0 });
  useSessionEndOn(error);
  return (
    <Dialog open onOpenChange={onClose} title="Refund" description={`Order ${order.orderNumber}, ${nameOf(order)}`}>
      {!offer && !error && <Skeleton className="mt-6 h-72" />}
      {!offer && error && (
        <NotLoaded title="We could not look at this order" error={error} onRetry={refetch} className="mt-6" />
      )}
      {offer?.remainingAmount === 0 && <p className="mt-6">All of this order’s money has been given back already.</p>}
      {offer && offer.remainingAmount > 0 && <Ask order={order} offer={offer} onRefused={refetch} onClose={onClose} />}
    </Dialog>
  );
}

interface Asked {
  amountCents: number;
  reason: string;
  withdrawPhotos: boolean;
  photos: number;
  /** Of the order's money, in cents. */
  rest: number;
}

function Ask(props: { order: AdminOrder; offer: Offer; onRefused: () => unknown; onClose: () => void }) {
  const { order, offer, onRefused, onClose } = props;
  const left = offer.remainingAmount;
  const [asked, setAsked] = useState<Asked>();
  /** However often it is sent, this dialog makes one refund. */
  const [key] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  const showOrder = useShowOrder();
  const noteEnd = useSessionEnd();
  const form = useShopForm(refundForm(left, money(left)), {
    defaultValues: { dollars: (left / 100).toFixed(2), reason: '', withdrawPhotos: true },
    onSubmit: ({ dollars, reason, withdrawPhotos }) => {
      const amountCents = centsOf(dollars);
      const photos = withdrawPhotos ? photosGoing(amountCents) : 0;
      setAsked({ amountCents, reason, withdrawPhotos, photos, rest: left - amountCents });
    },
  });
  const photosGoing = (cents: number) =>
    cents === left
      ? offer.unusedPhotos
      : packagesCovered(cents, offer.packageAmount, offer.unusedPackages) * photosIncluded.extraPackage;
  const cents = centsOf(form.watch('dollars'));
  const photos = cents >= 1 && cents <= left ? photosGoing(cents) : 0;

  const showMade = (changed: AdminOrder) => {
    const made = changed.refunds.find((it) => it.id === key);
    if (!made) return false;
    showOrder(changed);
    toast({ title: 'Refund On Its Way', description: `${money(made.amount)} goes back to the customer.` });
    onClose();
    return true;
  };
  /** Where the shop's answer was lost, the order tells whether the refund was made. */
  const isMadeAfterAll = async () => {
    const asItIs = query('/api/admin/orders/:id', { params: { id: order.id } });
    const now = await queryClient.fetchQuery({ ...asItIs, staleTime: 0, networkMode: 'always' }).catch(() => undefined);
    return now !== undefined && showMade(now);
  };
  const refund = async () => {
    if (!asked) return;
    const { amountCents, reason, withdrawPhotos } = asked;
    const body = { amountCents, reason, withdrawPhotos, key };
    try {
      showMade(await send('POST /api/admin/orders/:id/refunds', { params: { id: order.id }, body }));
    } catch (error) {
      const isLost = isOffline(error);
      if (isLost && (await isMadeAfterAll())) return;
      toast({
        title: isLost ? 'Answer Lost' : 'Refund Failed',
        description: isLost ? lostWords : errorWords(error, 'Failed to refund'),
        destructive: true,
      });
      noteEnd(error);
      const isRefused = error instanceof ApiError && error.status < 500;
      if (!isRefused) throw error; // the dialog stays
      void onRefused(); // how much is asked again, of what is left now
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
          hint={`At most ${money(left)}, which is all that is left of ${money(order.totalAmount)}.`}
        />
        <TextAreaField
          form={form}
          name="reason"
          label="Reason"
          rows={3}
          hint="The customer reads it in the mail and in the order’s history."
        />
        {cents === left && photos > 0 && (
          <p>
            This is all that is left, so the unused room for {counted(photos, 'photo')} goes with it. Photos that are
            there stay, and can still be finished.
          </p>
        )}
        {cents !== left && photos > 0 && (
          <CheckboxField
            form={form}
            name="withdrawPhotos"
            label={`Withdraw ${photos} unused photos`}
            hint={`As many +${photosIncluded.extraPackage} packages as this amount pays for, at ${money(offer.packageAmount)} each.`}
          />
        )}
        <FormButtons form={form} words="Continue" />
        <KeepOrDiscard isDirty={form.formState.isDirty} />
      </Form>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={asked ? `Refund ${money(asked.amountCents)}?` : 'Refund?'}
        description={asked && <WillHappen order={order} offer={offer} asked={asked} />}
        confirmWords={asked ? `Refund ${money(asked.amountCents)}` : 'Refund'}
        busyWords="Refunding..."
        destructive
        onConfirm={refund}
      />
    </>
  );
}

const lostWords =
  'The shop’s answer did not arrive, and we see no refund yet. Please try again: it is never made twice.';

function WillHappen(props: { order: AdminOrder; offer: Offer; asked: Asked }) {
  const { order, offer, asked } = props;
  const { amountCents, photos, rest } = asked;
  const where = offer.card
    ? `the ${brandName(offer.card.brand)} card ending in ${offer.card.last4}`
    : 'the card it was paid with';
  const lines = [
    `${money(amountCents)} goes back to ${where}.`,
    rest > 0 ? `${money(rest)} of the order remains.` : 'Nothing of the order remains paid.',
    photos > 0 && `The unused room for ${counted(photos, 'photo')} is withdrawn.`,
    order.customerEmail && `${order.customerEmail} is told by mail.`,
    'This cannot be undone.',
  ].filter((it): it is string => !!it);
  return lines.map((words) => (
    <span key={words} className="mt-1 block break-words">
      {words}
    </span>
  ));
}

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};
const brandName = (brand: string) => brands[brand] ?? brand;
