import * as z from 'zod/mini';
import { query } from '../data/api.ts';

/** An order-access token in an address: ?session=… */
export const SessionParam = z.object({
  session: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
});

export const orderSummaryQuery = (session: string | undefined) => query('/api/order-summary', { query: { session } });
export const buyerQuery = (session: string | undefined) => query('/api/user', { query: { session } });
