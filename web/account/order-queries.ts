import type { QueryClient } from '@tanstack/react-query';
import { query } from '../data/api.ts';

/** What was bought, and how many photos it holds; of the session or of an order-access token. */
export const orderSummaryQuery = (session?: string) => query('/api/order-summary', { query: { session } });
/** When a frame arrives that is bought today, and leaves from a day on; a page may stay open until tomorrow. */
export const deliveryEstimateQuery = (shipOn?: string) => ({
  ...query('/api/delivery-estimate', { query: { shipOn } }),
  staleTime: 10 * 60_000,
});
/** One order with its history; of the session or of an order-access token. */
export const orderQuery = (orderNumber: string, session?: string) =>
  query('/api/orders/:orderNumber', { params: { orderNumber }, query: { session } });

/** What was read of orders holds no more: pages show nothing of them rather than that. */
export const forgetOrders = (queryClient: QueryClient): void =>
  queryClient.removeQueries({ predicate: ({ queryKey: [, word] }) => /^orders?\b/.test(String(word)) });
