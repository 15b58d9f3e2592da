import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import type { PaymentProblem } from '#contract/owner/payments.ts';
import { query } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { uncachedQueryOptions, useSessionEndOn } from '../session.ts';
import { CloseProblem } from './close-problem.tsx';

/** Payments that have no order and are not refunded. Renders nothing if there are none. */
export function PaymentProblems() {
  const { data = [], error } = useQuery({ ...query('/api/admin/payment-problems'), ...uncachedQueryOptions });
  useSessionEndOn(error);
  const [closingId, setClosingId] = useState<string>();
  const problemToClose = data.find((it) => it.id === closingId);
  if (data.length === 0) return null;
  return (
    <Notice
      tone="bad"
      title={data.length === 1 ? 'A payment has no order' : `${data.length} payments have no order`}
      className="mb-4"
    >
      <p>
        Please check the payment provider and refund anything that hasn’t been refunded yet. The payment will then
        disappear from this list. If you settled it another way, write down how, and it will disappear, too.
      </p>
      <ul className="mt-2 space-y-2">
        {data.map((it) => (
          <li key={it.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:flex-nowrap">
            <span className="min-w-0 sm:flex-1">
              <span className="font-mono text-sm break-all select-all">{it.stripePaymentIntentId}</span>,{' '}
              {amountText(it)}, {it.customerEmail ?? 'no email'}, {shortMomentText(it.createdAt)}
            </span>
            <Button
              look="secondary"
              size="small"
              aria-label={`Settled another way: ${it.stripePaymentIntentId}`}
              onClick={() => setClosingId(it.id)}
            >
              Settled another way...
            </Button>
          </li>
        ))}
      </ul>
      {problemToClose && (
        <CloseProblem
          problem={problemToClose}
          what={amountText(problemToClose)}
          onClose={() => setClosingId(undefined)}
        />
      )}
    </Notice>
  );
}

const amountText = ({ state, expectedAmount }: { state: PaymentProblem; expectedAmount: number }) =>
  state === 'mismatched'
    ? `but the cart costs ${formatDollars(expectedAmount)}`
    : `${formatDollars(expectedAmount)} to refund`;
