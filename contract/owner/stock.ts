import * as z from 'zod';
import { StockBody } from '#contract/stock-forms.ts';
import type { Operations } from '#contract/operation.ts';

const OwnersStock = z
  .object({
    /** How many frames can still be sold. Below zero: more are paid for than there are. Null: they are not counted. */
    framesLeft: z.int().nullable(),
    /** The frames in paid orders that have not shipped. They are still on the shelf, but not left to sell. */
    framesToShip: z.int(),
    /** Visitors who wait for an email when frames are back. */
    waiting: z.int(),
  })
  .meta({ id: 'OwnersStock' });
export type OwnersStock = z.infer<typeof OwnersStock>;

export const ownerStock = {
  'GET /api/admin/stock': {
    summary: 'Read the number of frames that can still be sold',
    who: 'admin',
    area: 'fulfillment',
    response: OwnersStock,
  },
  'PUT /api/admin/stock': {
    summary: 'Set the number of frames that can still be sold, or stop counting them',
    who: 'admin',
    area: 'fulfillment',
    body: StockBody,
    response: OwnersStock,
    refusals: ['stock-changed'],
  },
} satisfies Operations;
