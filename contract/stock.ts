import * as z from 'zod';
import { StockNotificationForm } from './stock-forms.ts';
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
  'POST /api/stock/waiters': {
    summary: 'Ask for one email when the frame is back in stock',
    who: 'anyone',
    body: StockNotificationForm,
    response: z.object({ success: z.boolean() }),
    refusals: ['honeypot-filled', 'frames-back'],
    rate: 'frames-back',
  },
} satisfies Operations;
