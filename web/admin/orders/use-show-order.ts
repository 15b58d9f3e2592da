import { useQueryClient } from '@tanstack/react-query';
import type { AdminOrder } from '#contract/admin.ts';
import { query } from '../../data/api.ts';
import { adminOrdersQuery } from './orders-query.ts';

/** Put an order as the shop answered it in its place, and let everything else that tells of it be read anew. */
export function useShowOrder() {
  const queryClient = useQueryClient();
  return (changed: AdminOrder) => {
    queryClient.setQueryData(adminOrdersQuery().queryKey, (orders) =>
      orders?.map((it) => (it.id === changed.id ? changed : it)),
    );
    const stale = [
      query('/api/admin/production-orders').queryKey,
      query('/api/admin/stats').queryKey,
      query('/api/admin/devices', { query: { orderId: changed.id } }).queryKey,
      query('/api/admin/mails', { query: { orderId: changed.id } }).queryKey,
    ];
    for (const queryKey of stale) void queryClient.invalidateQueries({ queryKey });
  };
}
