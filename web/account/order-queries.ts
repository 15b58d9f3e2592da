import type { QueryClient } from '@tanstack/react-query';
import { query } from '../data/api.ts';

/** The customer's orders with their photo limits. Uses the session cookie or an order-access token. */
export const orderSummaryQuery = (session?: string) => query('/api/order-summary', { query: { session } });
/**
 * The estimated delivery of a frame that is bought today. With `shipOn`, the frame ships on that day. The estimate is
 * cached for ten minutes only, because it changes at midnight.
 */
export const deliveryEstimateQuery = (shipOn?: string) => ({
  ...query('/api/delivery-estimate', { query: { shipOn } }),
  staleTime: 10 * 60_000,
});
/** One order with its history. Uses the session cookie or an order-access token. */
export const orderQuery = (orderNumber: string, session?: string) =>
  query('/api/orders/:orderNumber', { params: { orderNumber }, query: { session } });

/** Removes cached orders after a change, so that pages show a loading state instead of outdated data. */
export const removeCachedOrders = (queryClient: QueryClient): void =>
  queryClient.removeQueries({ predicate: ({ queryKey: [, word] }) => /^orders?\b/.test(String(word)) });
