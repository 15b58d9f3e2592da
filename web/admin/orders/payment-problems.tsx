import { useQuery } from '@tanstack/react-query';
import { shortMomentWords } from '#contract/calendar.ts';
import { money } from '#contract/catalog.ts';
import type { PaymentProblem } from '#contract/owner/payments.ts';
import { query } from '../../data/api.ts';
import { Notice } from '../../ui/surfaces.tsx';
import { fresh, useSessionEndOn } from '../session.ts';

/** Payments that made no order and have not gone back. Nothing while there are none. */
export function PaymentProblems() {
  const { data = [], error } = useQuery({ ...query('/api/admin/payment-problems'), ...fresh });
  useSessionEndOn(error);
  if (data.length === 0) return null;
  return (
    <Notice
      tone="bad"
      title={data.length === 1 ? 'A payment made no order' : `${data.length} payments made no order`}
      className="mb-4"
    >
      <p>Look at the payment provider, and refund there what has not gone back; then it leaves this list.</p>
      <ul className="mt-2 space-y-1">
        {data.map((it) => (
          <li key={it.id}>
            <span className="font-mono text-sm break-all select-all">{it.stripePaymentIntentId}</span>,{' '}
            {amountWords(it)}, {it.customerEmail ?? 'no e-mail'}, {shortMomentWords(it.createdAt)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const amountWords = ({ state, expectedAmount }: { state: PaymentProblem; expectedAmount: number }) =>
  state === 'mismatched'
    ? `not the ${money(expectedAmount)} that its cart costs`
    : `${money(expectedAmount)} to go back`;
