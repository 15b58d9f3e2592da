import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';
import type { PanelArea } from './areas.ts';

const countFields = { count: z.int().min(1) };
const isoMoment = z.iso.datetime();

/** What waits for the owner, by kind. A line is present only if it has something to report. */
export const DayLine = z
  .discriminatedUnion('kind', [
    /** A bank requests evidence. If the owner does not respond by the deadline, the money is lost. */
    z.object({
      kind: z.literal('dispute'),
      orderId: z.string().nullable(),
      orderNumber: z.string().nullable(),
      /** Set if the payment made no order. */
      paymentIntentId: z.string().nullable(),
      /** In cents. */
      amount: z.int(),
      respondBy: isoMoment.nullable(),
    }),
    /** Payments without an order: they do not match the cart's price, or they are not refunded yet. */
    z.object({ kind: z.literal('payment-problems'), ...countFields }),
    /** Orders whose videos are later than promised. `since` is when the longest wait began. */
    z.object({ kind: z.literal('late'), ...countFields, since: isoMoment }),
    /** Gifts whose shipping day has come. `since` is the earliest such day. */
    z.object({ kind: z.literal('gifts-to-send'), ...countFields, since: z.iso.date() }),
    /** Frames whose customers saved connection details. `isLate` is true if the first of them is overdue. */
    z.object({ kind: z.literal('frames-to-connect'), ...countFields, since: isoMoment, isLate: z.boolean() }),
    /**
     * Packages whose videos are delivered, except gifts with a shipping day; at most a thousand are counted. `since` is
     * the date of the oldest order.
     */
    z.object({ kind: z.literal('packages-to-ship'), ...countFields, since: isoMoment }),
    /** More frames are paid for than the owner has counted. */
    z.object({ kind: z.literal('oversold'), ...countFields }),
    /** No frame is left to sell. */
    z.object({ kind: z.literal('sold-out') }),
    z.object({ kind: z.literal('videos-failed'), ...countFields }),
    z.object({ kind: z.literal('videos-to-check'), ...countFields }),
    z.object({ kind: z.literal('tickets'), ...countFields, since: isoMoment }),
    /** Returns that customers asked for and that the owner has not answered. */
    z.object({ kind: z.literal('returns'), ...countFields, since: isoMoment }),
    /** Returned packages that have arrived, without a refund or replacement so far. */
    z.object({ kind: z.literal('returns-received'), ...countFields, since: isoMoment }),
    z.object({ kind: z.literal('reviews'), ...countFields, since: isoMoment }),
    /**
     * Emails that were written at least an hour ago and are not sent. `orderId` is the order of the oldest email, if it
     * has one.
     */
    z.object({ kind: z.literal('mails-unsent'), ...countFields, since: isoMoment, orderId: z.string().nullable() }),
    /** Jobs that failed in the last days. */
    z.object({ kind: z.literal('jobs-failed'), ...countFields, names: z.array(z.string()) }),
    /** The queue does not process jobs. */
    z.object({ kind: z.literal('queue-stands'), since: isoMoment }),
    /** The shop has not been backed up for a week, or never. */
    z.object({ kind: z.literal('backup-overdue'), lastAt: isoMoment.nullable() }),
    z.object({ kind: z.literal('disk-full'), freeBytes: z.number(), totalBytes: z.number() }),
  ])
  .meta({ id: 'DayLine' });
export type DayLine = z.infer<typeof DayLine>;

/** The area of each kind of line. A person sees only the lines whose area the person's role may use. */
export const dayLineAreas: Record<DayLine['kind'], PanelArea> = {
  dispute: 'money',
  'payment-problems': 'money',
  late: 'fulfillment',
  'gifts-to-send': 'fulfillment',
  'frames-to-connect': 'fulfillment',
  'packages-to-ship': 'fulfillment',
  oversold: 'fulfillment',
  'sold-out': 'fulfillment',
  'videos-failed': 'fulfillment',
  'videos-to-check': 'fulfillment',
  tickets: 'support',
  returns: 'returns',
  'returns-received': 'returns',
  reviews: 'content',
  'mails-unsent': 'support',
  'jobs-failed': 'security',
  'queue-stands': 'security',
  'backup-overdue': 'security',
  'disk-full': 'security',
};

export const DaySheet = z
  .object({
    /** The most urgent first. */
    lines: z.array(DayLine),
    /** The number of orders in the last 24 hours; 0 for a role that may not see orders. */
    newOrders: z.int(),
    /** Absent if the shop makes no backups, or if a line reports that the last backup is too old. */
    lastBackupAt: isoMoment.optional(),
    /** Whether the sheet is emailed each morning. */
    isMailed: z.boolean(),
  })
  .meta({ id: 'DaySheet' });
export type DaySheet = z.infer<typeof DaySheet>;

export const ownerDaySheet = {
  'GET /api/admin/day-sheet': {
    summary: 'List the tasks that need the person now, the most urgent first; only tasks of the person’s role',
    who: 'admin',
    area: 'own',
    response: DaySheet,
  },
  'PUT /api/admin/day-sheet': {
    summary: 'Turn the email of the day sheet each morning on or off',
    who: 'admin',
    area: 'settings',
    body: z.object({ isMailed: z.boolean() }),
    response: DaySheet,
  },
} satisfies Operations;
