import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';
import { daysQuery } from './analytics.ts';

export const CartReminders = z
  .object({
    /** Whether buyers who left a cart at the payment get reminders. */
    isOn: z.boolean(),
    /** The carts of which a buyer was first reminded in the range, and the emails about them: one or two for each. */
    reminded: z.int(),
    emails: z.int(),
    /** How many of these buyers opened the link, and how many paid within two weeks, with or without the link. */
    opened: z.int(),
    bought: z.int(),
  })
  .meta({ id: 'CartReminders' });
export type CartReminders = z.infer<typeof CartReminders>;

export const ownerCartReminders = {
  'GET /api/admin/cart-reminders': {
    summary: 'Read whether cart reminders are on, and their results in a range of days; default: 30 days',
    who: 'admin',
    area: 'settings',
    query: daysQuery,
    response: CartReminders,
  },
  'PUT /api/admin/cart-reminders': {
    summary: 'Turn cart reminders on or off. Off also stops emails that were not sent yet',
    who: 'admin',
    area: 'settings',
    body: z.object({ isOn: z.boolean() }),
    response: z.object({ isOn: z.boolean() }),
  },
} satisfies Operations;
