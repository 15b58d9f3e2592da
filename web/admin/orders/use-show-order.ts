import { useQueryClient } from '@tanstack/react-query';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { query } from '../../data/api.ts';
import { changeCachedRows, refreshList } from '../list/list-query.ts';

/** Updates the cached order with the API's response, and refetches all other queries that contain its data. */
export function useShowOrder() {
  const queryClient = useQueryClient();
  return (changed: AdminOrder) => {
    const { id } = changed;
    changeCachedRows<AdminOrder>(queryClient, 'orders', (it) => (it.id === id ? changed : it));
    queryClient.setQueryData(query('/api/admin/orders/:id', { params: { id } }).queryKey, changed);
    // Refetch the lists, because the order may now be on another page, or no longer match the filter.
    for (const list of ['orders', 'production-orders']) void refreshList(queryClient, list);
    const staleKeys = [
      query('/api/admin/stats').queryKey,
      query('/api/admin/devices', { query: { orderId: id } }).queryKey,
      query('/api/admin/orders/:id/margin', { params: { id } }).queryKey,
      query('/api/admin/mails', { query: { orderId: id } }).queryKey,
      query('/api/admin/orders/:id/returns', { params: { id } }).queryKey,
    ];
    for (const queryKey of staleKeys) void queryClient.invalidateQueries({ queryKey });
  };
}
