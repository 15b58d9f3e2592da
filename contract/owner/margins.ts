import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';

/** Income and costs in integer cents. `left` is what remains after all known costs. */
export const OrderMargin = z
  .object({
    orders: z.int(),
    paid: z.int(),
    refunded: z.int(),
    /** Money that a bank has withdrawn, permanently or until it decides a dispute. */
    disputed: z.int(),
    /** Sales tax of amounts that were not refunded. The shop passes it on to the tax authority. */
    tax: z.int(),
    /** The payment provider's fee, for orders whose fee is known. */
    fee: z.int(),
    /** The number of orders whose fee the provider has not reported yet. */
    unknownFees: z.int(),
    /** Videos ordered from animators that charge for them. */
    videos: z.array(z.object({ animator: z.string(), videos: z.int(), amount: z.int() })),
    frames: z.int(),
    /** Null if the cost of a frame is needed but not set. */
    frameCost: z.int().nullable(),
    parcels: z.int(),
    /** Null if the cost of a package is needed but not set. A label's price replaces it for its package. */
    parcelCost: z.int().nullable(),
    /** The part of it that was paid for labels in the panel; known even if `parcelCost` is null. */
    labelCost: z.int(),
    left: z.int(),
  })
  .meta({ id: 'OrderMargin' });
export type OrderMargin = z.infer<typeof OrderMargin>;

export const MonthMargin = z
  .object({
    /** A month in the shop's calendar: 2026-12. */
    month: z.string(),
    ...OrderMargin.shape,
  })
  .meta({ id: 'MonthMargin' });
export type MonthMargin = z.infer<typeof MonthMargin>;

export const ownerMargins = {
  'GET /api/admin/orders/:id/margin': {
    summary: 'Read the margin of an order: paid, refunded, the provider’s fee, videos, hardware',
    who: 'admin',
    area: 'money',
    params: z.object({ id: z.string().max(64) }),
    response: OrderMargin,
    refusals: ['not-found'],
  },
  'GET /api/analytics/margins': {
    summary: 'List the margins of all orders by month of payment: this month and the eleven before it, latest first',
    who: 'admin',
    area: 'money',
    response: z.object({
      months: z.array(MonthMargin),
      /** True if the configured animator charges for videos, and ANIMATOR_PRICE is not set. */
      isVideoPriceUnknown: z.boolean(),
    }),
  },
} satisfies Operations;
