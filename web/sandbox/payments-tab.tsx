import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CreditCard } from 'lucide-react';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { shortMomentText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import type { SandboxPayment } from '#contract/sandbox.ts';
import { tidyAmount } from '#contract/tidy.ts';
import { formatCardNumber } from '../checkout/card-form/card-number.ts';
import { testCards } from '../checkout/card-form/test-cards.tsx';
import { send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../ui/form.tsx';
import { Badge, Card, EmptyState, Notice, Skeleton } from '../ui/surfaces.tsx';
import { toast } from '../ui/toast.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { pollingQueryOptions, paymentsQuery, sandboxQuery } from './sandbox-queries.ts';

/** The sandbox's payments, with buttons for events that the shop does not start: a refund, a dispute, an outage. */
export function PaymentsTab({ downUntil }: { downUntil: string | null }) {
  const { data, error } = useQuery({ ...paymentsQuery(), ...pollingQueryOptions });
  return (
    <div className="items-start gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(18rem,22rem)]">
      <div>
        <h2 className="sr-only">Payments</h2>
        {error && !data && <Notice tone="bad" title={errorText(error)} />}
        {!error && !data && <Skeleton className="h-96" />}
        {data?.length === 0 && (
          <EmptyState icon={<CreditCard aria-hidden className="size-7" />} title="No payment yet">
            Payments show up here as soon as someone reaches the card form.
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <ul className="divide-y divide-hair rounded-lg border border-hair bg-card">
            {data.map((payment) => (
              <Payment key={payment.id} payment={payment} />
            ))}
          </ul>
        )}
      </div>
      <div className="mt-6 space-y-5 lg:mt-0">
        <Provider downUntil={downUntil} hasDelayed={data?.some((it) => it.status === 'processing') ?? false} />
        <Cards />
      </div>
    </div>
  );
}

const statuses: Record<string, { label: string; tone: 'good' | 'warn' | 'neutral' | 'bad' }> = {
  succeeded: { label: 'Paid', tone: 'good' },
  processing: { label: 'Processing', tone: 'warn' },
  requires_action: { label: 'Waiting for authentication', tone: 'warn' },
  canceled: { label: 'Canceled', tone: 'neutral' },
};
/** The display names of the brands of the sandbox’s cards. */
const brandNames: Record<string, string> = { visa: 'Visa' };
const unpaidLabel = { label: 'Not paid', tone: 'neutral' } as const;

function Payment({ payment }: { payment: SandboxPayment }) {
  const [isRefunding, setIsRefunding] = useState(false);
  const runPaymentAction = usePaymentAct();
  const { label, tone } = statuses[payment.status] ?? unpaidLabel;
  const refundableAmount = payment.amount - payment.refundedAmount;
  const isPaid = payment.status === 'succeeded';
  return (
    <li className="px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="text-lg font-semibold tabular-nums">{formatDollars(payment.amount)}</p>
        <Badge tone={payment.lastError && !isPaid ? 'bad' : tone}>
          {payment.lastError && !isPaid ? 'Declined' : label}
        </Badge>
        {payment.refundedAmount > 0 && <Badge tone="warn">{formatDollars(payment.refundedAmount)} refunded</Badge>}
        {payment.isDisputed && <Badge tone="bad">Disputed</Badge>}
      </div>
      <p className="mt-1 text-[0.9375rem]">{payment.description}</p>
      <p className="text-sm break-words text-muted">
        {[
          payment.email,
          payment.card && `${brandNames[payment.card.brand] ?? payment.card.brand} ending in ${payment.card.last4}`,
          shortMomentText(payment.createdAt),
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      {payment.lastError && !isPaid && <p className="text-sm text-bad">{payment.lastError}</p>}
      {isPaid && (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button look="secondary" size="small" disabled={refundableAmount === 0} onClick={() => setIsRefunding(true)}>
            Refund<span className="sr-only"> {payment.id}</span>
          </Button>
          <Button
            look="secondary"
            size="small"
            busy={runPaymentAction.isBusy}
            disabled={payment.isDisputed}
            onClick={() =>
              void runPaymentAction.run(() =>
                send('POST /api/sandbox/payments/:id/dispute', { params: { id: payment.id } }),
              )
            }
          >
            Dispute<span className="sr-only"> {payment.id}</span>
          </Button>
          <Button
            look="secondary"
            size="small"
            busy={runPaymentAction.isBusy}
            onClick={() =>
              void runPaymentAction.run(() =>
                send('POST /api/sandbox/payments/:id/fraud-warning', { params: { id: payment.id } }),
              )
            }
          >
            Fraud warning<span className="sr-only"> {payment.id}</span>
          </Button>
        </div>
      )}
      {isRefunding && <RefundDialog payment={payment} left={refundableAmount} onClose={() => setIsRefunding(false)} />}
    </li>
  );
}

const RefundForm = z.object({
  dollars: z
    .string()
    .check(z.overwrite(tidyAmount), z.regex(/^\d{1,6}(\.\d{1,2})?$/, 'Please enter an amount like 12.50')),
});

function RefundDialog({ payment, left, onClose }: { payment: SandboxPayment; left: number; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useShopForm(RefundForm, {
    defaultValues: { dollars: (left / 100).toFixed(2) },
    onSubmit: async ({ dollars }) => {
      const amountCents = Math.round(Number(dollars) * 100);
      const { message } = await send('POST /api/sandbox/payments/:id/refund', {
        params: { id: payment.id },
        body: { amountCents },
      });
      toast({ title: 'Refunded', description: message });
      void queryClient.invalidateQueries({ queryKey: paymentsQuery().queryKey });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="small"
      title="Refund at the payment provider"
      description={`This works like a refund in the provider’s own dashboard: the shop only gets a notification. Up to ${formatDollars(left)}.`}
    >
      <Form form={form} label="Refund" className="mt-5 space-y-4">
        <TextField form={form} name="dollars" label="Amount in dollars" />
        <FormProblem form={form} />
        <SubmitButton form={form} busyLabel="Refunding...">
          Refund
        </SubmitButton>
      </Form>
    </Dialog>
  );
}

const outageSeconds = 60;

function Provider({ downUntil, hasDelayed }: { downUntil: string | null; hasDelayed: boolean }) {
  const queryClient = useQueryClient();
  const runPaymentAction = usePaymentAct();
  const refetchSandbox = queryClient.invalidateQueries.bind(queryClient, { queryKey: sandboxQuery().queryKey });
  useEffect(() => {
    if (downUntil === null) return;
    const timer = setTimeout(() => void refetchSandbox(), Math.max(0, Date.parse(downUntil) - Date.now()) + 500);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- once per outage
  }, [downUntil]);
  const setOutage = (seconds: number) =>
    runPaymentAction.run(async () => {
      await send('POST /api/sandbox/outage', { body: { seconds } });
      await refetchSandbox();
      return {
        message: seconds > 0 ? 'The payment provider is offline for a minute.' : 'The payment provider is back.',
      };
    });
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="title-3">The payment provider</h2>
      <p role="status" className="mt-1 text-muted">
        {downUntil === null
          ? 'It’s online. Turn it off for a minute to see how the shop handles that.'
          : `Offline until ${shortMomentText(downUntil)}.`}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          look="secondary"
          size="small"
          busy={runPaymentAction.isBusy}
          onClick={() => void setOutage(downUntil === null ? outageSeconds : 0)}
        >
          {downUntil === null ? 'Turn off for a minute' : 'Turn on'}
        </Button>
        <Button
          look="secondary"
          size="small"
          busy={runPaymentAction.isBusy}
          disabled={!hasDelayed}
          onClick={() => void runPaymentAction.run(() => send('POST /api/sandbox/settle-delayed'))}
        >
          Complete delayed payments now
        </Button>
      </div>
    </Card>
  );
}

function Cards() {
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="title-3">Test cards</h2>
      <p className="mt-1 text-muted">Use any future expiration date and any security code.</p>
      <ul className="mt-3 divide-y divide-hair">
        {testCards.map(({ number, does }) => (
          <li key={number} className="flex items-center justify-between gap-3 py-1">
            <p className="leading-snug">
              <span className="font-semibold whitespace-nowrap tabular-nums">{formatCardNumber(number)}</span>
              <span className="block text-sm text-muted">{does}</span>
            </p>
            <CopyButton text={number} what={`the card ${formatCardNumber(number)}`}>
              Copy
            </CopyButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Runs one action at a time, shows its message and loads the payments again. */
function usePaymentAct() {
  const queryClient = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const runAct = async (act: () => Promise<{ message: string }>) => {
    setIsBusy(true);
    try {
      toast({ title: 'Done', description: (await act()).message });
      await queryClient.invalidateQueries({ queryKey: paymentsQuery().queryKey });
    } catch (error) {
      toast({ title: 'Not done', description: errorText(error), destructive: true });
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, run: runAct };
}
