import * as z from 'zod';
import type { Operations } from './operation.ts';

export const stock = {
  'GET /data/stock.json': {
    summary: 'Read how many frames are left to buy',
    who: 'anyone',
    response: z
      .object({
        /** Zero: sold out. Null: an order may contain as many frames as usual. */
        framesLeft: z.int().min(0).nullable(),
      })
      .meta({ id: 'Stock' }),
  },
} satisfies Operations;
