import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Delivery } from '#contract/delivery.ts';
import { query } from '../data/api.ts';

/** The delivery behind a link. The response also sets the cookie that gives access to the videos. */
export const deliveryQuery = (token: string) => query('/api/delivery/:token', { params: { token } });

/** Two functions that update the open page: `change` edits the cached delivery, `refresh` loads it again. */
export function useDeliveryChange(token: string) {
  const queryClient: QueryClient = useQueryClient();
  const { queryKey } = deliveryQuery(token);
  return {
    change: (to: (delivery: Delivery) => Delivery) => queryClient.setQueryData(queryKey, (it) => it && to(it)),
    refresh: () => queryClient.refetchQueries({ queryKey }),
  };
}
