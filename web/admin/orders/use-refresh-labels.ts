import { useQueryClient } from '@tanstack/react-query';
import { query } from '../../data/api.ts';
import { labelsQuery } from './labels-query.ts';

/** Refetches what a label of an order changes: the labels, the history and the profit. */
export function useRefreshLabels(orderId: string) {
  const queryClient = useQueryClient();
  const params = { id: orderId };
  return () => {
    const staleKeys = [
      labelsQuery(orderId).queryKey,
      query('/api/admin/orders/:id', { params }).queryKey,
      query('/api/admin/orders/:id/margin', { params }).queryKey,
    ];
    for (const queryKey of staleKeys) void queryClient.invalidateQueries({ queryKey });
  };
}
