import * as z from 'zod/mini';
import { requiredTextField } from './fields.ts';
import { tidyAmount } from './tidy.ts';

/** The most for one refund, far above any order. */
const mostCents = 10_000_000;
const reason = requiredTextField('Please enter a reason for the refund', 500);
const amountMessage = 'Please enter an amount in dollars and cents, such as 12.50';

export const RefundBody = z.object({
  /** Integer cents. If absent, the whole remaining amount is refunded. */
  amountCents: z.optional(z.int(amountMessage).check(z.gte(1, amountMessage), z.lte(mostCents, amountMessage))),
  /** The owner's reason. The customer sees it in the order's history, and in the email if there is one. */
  reason,
  /**
   * Take back unused extra packages that the amount covers. A full refund always takes back all unused packages; with
   * this flag it also ends the links to the order's videos.
   */
  withdrawPhotos: z._default(z.boolean(), false),
  /** Whether the customer gets an email about the refund. True if it is left out. */
  tellCustomer: z.optional(z.boolean()),
  /** The open return that this refund ends. */
  returnId: z.optional(z.string().check(z.maxLength(64))),
  /** Sending the same key again does not make a second refund. */
  key: z.optional(z.uuid()),
});

/** How the owner and the payer settled outside the provider. The audit trail stores it. */
export const CloseProblemForm = z.object({ note: requiredTextField('Please enter how this was settled', 500) });

/** Converts dollars as typed (`1,250`, `$9.99`) to cents. Returns NaN for other text. */
export function parseDollarsToCents(dollars: string): number {
  const [, whole, part = ''] = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,7})(?:\.(\d{1,2}))?$/.exec(tidyAmount(dollars)) ?? [];
  return whole === undefined ? Number.NaN : Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
}

/** Checks the owner’s form for a refund. */
export const refundFormSchema = (refundableCents: number, refundableText: string) =>
  z.object({
    dollars: z.string().check(
      z.refine((it) => parseDollarsToCents(it) >= 1, { error: amountMessage, abort: true }),
      z.refine((it) => parseDollarsToCents(it) <= refundableCents, `You can still refund up to ${refundableText}`),
    ),
    reason,
    withdrawPhotos: z.boolean(),
    tellCustomer: z.boolean(),
    endLinks: z.boolean(),
  });

/**
 * The number of unused extra packages taken back with a partial refund: as many as the amount covers, but no more than
 * are unused. `packageCents` is the price of one in this order.
 */
export const countRefundedPackages = (amountCents: number, packageCents: number, unusedPackages: number) =>
  Math.min(unusedPackages, Math.floor(amountCents / packageCents));
