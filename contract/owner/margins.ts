import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';

/** What was paid and what went of it, in integer cents; `left` is after everything that is known. */
export const OrderMargin = z
  .object({
    orders: z.int(),
    paid: z.int(),
    refunded: z.int(),
    /** Taken back by a bank, or held by it while it decides. */
    disputed: z.int(),
    /** Sales tax of what was not given back: it is handed on. */
    tax: z.int(),
    /** The payment provider's, of the orders whose fee is known. */
    fee: z.int(),
    /** Of so many orders the provider has not said its fee yet. */
    unknownFees: z.int(),
    /** What was ordered of animators that are paid. */
    videos: z.array(z.object({ animator: z.string(), videos: z.int(), amount: z.int() })),
    frames: z.int(),
    /** Null where the setting FRAME_COST is needed and not given. */
    frameCost: z.int().nullable(),
    parcels: z.int(),
    /** Null where the setting SHIPPING_COST is needed and not given. */
    parcelCost: z.int().nullable(),
    left: z.int(),
  })
  .meta({ id: 'OrderMargin' });
export type OrderMargin = z.infer<typeof OrderMargin>;

export const MonthMargin = z
  .object({
    /** Of the shop's calendar: 2026-12. */
    month: z.string(),
    ...OrderMargin.shape,
  })
  .meta({ id: 'MonthMargin' });
export type MonthMargin = z.infer<typeof MonthMargin>;

export const ownerMargins = {
  'GET /api/admin/orders/:id/margin': {
    summary: 'What is left of an order: paid, refunded, the provider’s fee, videos, hardware',
    who: 'admin',
    params: z.object({ id: z.string().max(64) }),
    response: OrderMargin,
    refusals: ['not-found'],
  },
  'GET /api/analytics/margins': {
    summary: 'The same for all orders paid in a month: this one and the eleven before it, the latest first',
    who: 'admin',
    response: z.object({
      months: z.array(MonthMargin),
      /** The animator of the settings is paid, and ANIMATOR_PRICE does not say how much. */
      isVideoPriceUnknown: z.boolean(),
    }),
  },
} satisfies Operations;
