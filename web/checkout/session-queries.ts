import { query } from '../data/api.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

/** The search param for an order-access token: ?session=… */
export const SessionParam = defineSearchParams({ session: textParam(200) });

export const buyerQuery = (session: string | undefined) => query('/api/user', { query: { session } });
