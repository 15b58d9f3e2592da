import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { ApiError, query } from '../../data/api.ts';
import { slipSeparator } from '../../paths.ts';

/** The orders of the packing slips, in the order of their ids in the address, and how many of them were not found. */
export const slipsQuery = (queryClient: QueryClient, orders = '') =>
  queryOptions({
    // Under the panel's address, so that signing out removes it from the browser.
    queryKey: ['/api', 'admin', 'packing-slips', orders],
    queryFn: async () => {
      const ids = [...new Set(orders.split(slipSeparator).filter(Boolean))];
      const foundOrders: AdminOrder[] = [];
      // Load the orders one after the other, so that a long selection does not reach the rate limit at once.
      for (const id of ids) {
        const order = await queryClient
          .fetchQuery({ ...query('/api/admin/orders/:id', { params: { id } }), staleTime: 0 })
          .catch(undefinedIfMissing);
        if (order) foundOrders.push(order);
      }
      return { orders: foundOrders, missing: ids.length - foundOrders.length };
    },
  });

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined;
  throw error;
}
