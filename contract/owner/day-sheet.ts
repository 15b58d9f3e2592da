import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';

const many = { count: z.int().min(1) };
const at = z.iso.datetime();

/** What waits for the owner, by kind; each is there only while it has something to say. */
export const DayLine = z
  .discriminatedUnion('kind', [
    /** A bank asks; without an answer by its day the money is lost. */
    z.object({
      kind: z.literal('dispute'),
      orderId: z.string().nullable(),
      orderNumber: z.string().nullable(),
      /** Of a payment that made no order. */
      paymentIntentId: z.string().nullable(),
      /** In cents. */
      amount: z.int(),
      respondBy: at.nullable(),
    }),
    /** Paid, but not what the cart cost, or not given back as it should be. */
    z.object({ kind: z.literal('payment-problems'), ...many }),
    /** Orders whose videos are later than promised, the longest waiting since then. */
    z.object({ kind: z.literal('late'), ...many, since: at }),
    /** Gifts whose day to ship has come, the first of those days. */
    z.object({ kind: z.literal('gifts-to-send'), ...many, since: z.iso.date() }),
    z.object({ kind: z.literal('videos-failed'), ...many }),
    z.object({ kind: z.literal('videos-to-check'), ...many }),
    z.object({ kind: z.literal('tickets'), ...many, since: at }),
    z.object({ kind: z.literal('reviews'), ...many, since: at }),
    /** Written an hour ago or longer and not sent; the order is the oldest one's, where it tells of one. */
    z.object({ kind: z.literal('mails-unsent'), ...many, since: at, orderId: z.string().nullable() }),
    /** What the shop does by itself and could not, in the last days. */
    z.object({ kind: z.literal('jobs-failed'), ...many, names: z.array(z.string()) }),
    /** Nobody takes what waits to be done. */
    z.object({ kind: z.literal('queue-stands'), since: at }),
    /** Nobody has backed the shop up for a week, or ever. */
    z.object({ kind: z.literal('backup-overdue'), lastAt: at.nullable() }),
    z.object({ kind: z.literal('disk-full'), freeBytes: z.number(), totalBytes: z.number() }),
  ])
  .meta({ id: 'DayLine' });
export type DayLine = z.infer<typeof DayLine>;

export const DaySheet = z
  .object({
    /** The most pressing first. */
    lines: z.array(DayLine),
    /** Of a shop that is backed up; where that was too long ago, a line says so instead. */
    lastBackupAt: at.optional(),
    /** Whether the sheet comes by mail each morning. */
    isMailed: z.boolean(),
  })
  .meta({ id: 'DaySheet' });
export type DaySheet = z.infer<typeof DaySheet>;

export const ownerDaySheet = {
  'GET /api/admin/day-sheet': {
    summary: 'What needs the owner now, the most pressing first',
    who: 'admin',
    response: DaySheet,
  },
  'PUT /api/admin/day-sheet': {
    summary: 'Have the sheet mailed each morning, or no more',
    who: 'admin',
    body: z.object({ isMailed: z.boolean() }),
    response: DaySheet,
  },
} satisfies Operations;
