import * as z from 'zod/mini';
import { trimmed } from './fields.ts';

/** Of one refund; far above any order. */
const mostCents = 10_000_000;
const reason = trimmed('Please say why the money goes back.', 500);
const amountWords = 'Please enter an amount in dollars and cents, such as 12.50';

export const RefundBody = z.object({
  /** Integer cents; all that is left when absent. */
  amountCents: z.optional(z.int(amountWords).check(z.gte(1, amountWords), z.lte(mostCents, amountWords))),
  /** The owner's words: the customer reads them in the mail and in the order's history. */
  reason,
  /** Take unused extra packages covered by the amount back; a refund of all that is left always takes what is unused. */
  withdrawPhotos: z._default(z.boolean(), false),
  /** The same key sent again is the same refund. */
  key: z.optional(z.uuid()),
});

/** How the owner and a payer came to terms outside of the provider; the audit trail keeps it. */
export const CloseProblemForm = z.object({ note: trimmed('Please say how it was settled.', 500) });

/** Dollars as they are typed (`1,250`, `$9.99`) to cents; NaN for anything else. */
export function centsOf(dollars: string): number {
  const [, whole, part = ''] = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,7})(?:\.(\d{1,2}))?$/.exec(dollars.trim()) ?? [];
  return whole === undefined ? Number.NaN : Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
}

/** What the owner types. */
export const refundForm = (leftCents: number, left: string) =>
  z.object({
    dollars: z.string().check(
      z.refine((it) => centsOf(it) >= 1, { error: amountWords, abort: true }),
      z.refine((it) => centsOf(it) <= leftCents, `At most ${left} can still be refunded`),
    ),
    reason,
    withdrawPhotos: z.boolean(),
  });

/**
 * Unused extra packages that go back with a part of the money: as many as it pays for, and no more than are unused.
 * `packageCents` is what one cost in this order.
 */
export const packagesCovered = (amountCents: number, packageCents: number, unusedPackages: number) =>
  Math.min(unusedPackages, Math.floor(amountCents / packageCents));
