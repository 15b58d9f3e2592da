import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { formatDollars } from '#contract/catalog.ts';
import { send } from '../data/api.ts';
import { toast } from '../ui/toast.ts';

/** How many of the latest orders are read. If more were sold at once, the text counts these. */
const readOrderCount = 10;

/**
 * Returns a function that shows a notification about the orders that are new since the panel was opened or since its
 * last call. It does nothing for people who may not see orders.
 */
export function useSaleToasts(isEnabled: boolean): () => void {
  const queryClient = useQueryClient();
  const lastSeen = useRef<string>(undefined);
  const fetchLatestOrders = () =>
    queryClient.fetchQuery({
      queryKey: ['/api', 'admin', 'latest-orders'],
      queryFn: () => send('GET /api/admin/lists/orders', { query: { limit: readOrderCount } }),
      staleTime: 0,
    });
  const announceNewOrders = async () => {
    const { rows } = await fetchLatestOrders();
    const lastSeenBefore = lastSeen.current;
    lastSeen.current = rows[0]?.createdAt ?? lastSeenBefore ?? '';
    if (lastSeenBefore === undefined) return;
    const addedRows = rows.filter((it) => it.createdAt > lastSeenBefore);
    const [newest] = addedRows;
    if (!newest) return;
    const cents = addedRows.reduce((sum, it) => sum + it.totalAmount, 0);
    toast(
      addedRows.length === 1
        ? { title: `New order: ${formatDollars(cents)}`, description: `Order ${newest.orderNumber}` }
        : {
            title: `${addedRows.length} new orders: ${formatDollars(cents)}`,
            description: `Latest: ${newest.orderNumber}`,
          },
    );
  };
  // An error is not shown: the list of orders shows its own, and the next sale reads again.
  const announceIfEnabled = () => {
    if (isEnabled) void announceNewOrders().catch(() => {});
  };
  // oxlint-disable-next-line react/exhaustive-deps -- notes the latest order once, when the panel opens
  useEffect(announceIfEnabled, []);
  return announceIfEnabled;
}
