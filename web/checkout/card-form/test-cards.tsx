import { ChevronDown } from 'lucide-react';
import { formatCardNumber } from './card-number.ts';

/** The sandbox's test cards, with the numbers that Stripe documents. */
export const testCards = [
  { number: '4242424242424242', does: 'Pays' },
  { number: '4000002500003155', does: 'Asks for authentication on a page of its own' },
  { number: '4000000000000077', does: 'Is processing first, then pays' },
  { number: '4000000000000002', does: 'Is declined' },
  { number: '4000000000009995', does: 'Has insufficient funds' },
  { number: '4000000000000069', does: 'Has expired' },
  { number: '4000000000000127', does: 'Has the wrong security code' },
];

export function TestCards({ onPick }: { onPick: (number: string) => void }) {
  return (
    <details className="group rounded-lg border border-hair bg-linen/50">
      <summary className="flex min-h-12 list-none items-center justify-between px-4 font-semibold">
        Test cards
        <ChevronDown aria-hidden className="size-5 transition-transform duration-200 group-open:rotate-180" />
      </summary>
      <ul className="divide-y divide-hair border-t border-hair">
        {testCards.map(({ number, does }) => (
          <li key={number} className="flex items-center justify-between gap-4 px-4 py-1.5">
            <p className="min-w-0 leading-snug">
              <span className="font-semibold whitespace-nowrap tabular-nums">{formatCardNumber(number)}</span>
              <span className="block text-[0.9375rem] text-muted">{does}</span>
            </p>
            <button
              type="button"
              onClick={() => onPick(number)}
              aria-label={`Use the test card ${formatCardNumber(number)}`}
              className="link min-h-11 shrink-0 px-2 font-semibold"
            >
              Use
            </button>
          </li>
        ))}
      </ul>
      <p className="border-t border-hair px-4 py-3 text-[0.9375rem] text-muted">
        Any future expiration date and any security code will work. All other card numbers are refused.
      </p>
    </details>
  );
}
