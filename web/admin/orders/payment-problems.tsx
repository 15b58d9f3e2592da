import { useQuery } from '@tanstack/react-query';
import { shortMomentWords } from '#contract/calendar.ts';
import { money } from '#contract/catalog.ts';
import { query } from '../../data/api.ts';
import { Notice } from '../../ui/surfaces.tsx';
import { fresh, useSessionEndOn } from '../session.ts';

/** Payments that made no order, because they are not what their cart cost. Nothing while there are none. */
export function PaymentProblems() {
  const { data = [], error } = useQuery({ ...query('/api/admin/payment-problems'), ...fresh });
  useSessionEndOn(error);
  if (data.length === 0) return null;
  return (
    <Notice
      tone="bad"
      title={
        data.length === 1 ? 'A payment does not match its cart' : `${data.length} payments do not match their carts`
      }
      className="mb-4"
    >
      <p>No order was made. Look at the payment provider, and refund it there; then it leaves this list.</p>
      <ul className="mt-2 space-y-1">
        {data.map((it) => (
          <li key={it.id}>
            <span className="font-mono text-sm break-all select-all">{it.stripePaymentIntentId}</span>,{' '}
            {money(it.expectedAmount)} expected, {it.customerEmail ?? 'no e-mail'}, {shortMomentWords(it.createdAt)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
