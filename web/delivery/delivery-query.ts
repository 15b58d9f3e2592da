import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Delivery } from '#contract/delivery.ts';
import { query } from '../data/api.ts';

/** What a delivery link opens. The answer also sets the cookie that opens its videos. */
export const deliveryQuery = (token: string) => query('/api/delivery/:token', { params: { token } });

/** Show what the shop has just answered, in the page as it stands. */
export function useDeliveryChange(token: string) {
  const queryClient: QueryClient = useQueryClient();
  const { queryKey } = deliveryQuery(token);
  return {
    change: (to: (delivery: Delivery) => Delivery) => queryClient.setQueryData(queryKey, (it) => it && to(it)),
    refresh: () => queryClient.refetchQueries({ queryKey }),
  };
}
