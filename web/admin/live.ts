import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { liveTopics, type LiveTopic } from '#contract/owner/live.ts';
import { adminSessionQuery } from './session.ts';

/** The queries that a live event of a topic affects, as patterns for their address after /api/admin/. */
const pathsByTopic: Record<LiveTopic, RegExp> = {
  orders:
    /^(lists\/(orders|customers|users)|orders|phone-orders|customers|stats|stock|payment-problems|day-sheet|gift-cards|lists\/gift-cards)/,
  production: /^(lists\/production-orders|day-sheet)/,
  uploads: /^(stats|uploads|lists\/(orders|users))/,
  tickets: /^((lists\/)?support-tickets|day-sheet)/,
  reviews: /^(lists\/reviews|day-sheet)/,
  sessions: /^(session|security|staff)$/,
  // `orders` is sent with it. The panel shows a notification (`onSale`).
  sales: /^$/,
};

/**
 * Subscribes to server events while the panel is open, and refetches the affected queries.
 *
 * @param onSale called when there may be a new sale
 */
export function useLiveUpdates(onSale: () => void): void {
  const queryClient = useQueryClient();
  const saleHandler = useEffectEvent(onSale);
  useEffect(() => {
    const source = new EventSource('/api/admin/live');
    const refetchTopic = (topic: LiveTopic) =>
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [api, admin, ...rest] }: Query) =>
          api === '/api' && admin === 'admin' && pathsByTopic[topic].test(rest.join('/')),
      });
    for (const topic of liveTopics) source.addEventListener(topic, () => refetchTopic(topic));
    // The session was ended. The session's query returns the reason, and the panel closes.
    source.addEventListener(
      'ended',
      () => void queryClient.invalidateQueries({ queryKey: adminSessionQuery().queryKey }),
    );
    source.addEventListener('sales', () => saleHandler());
    let wasLost = false;
    source.addEventListener('open', () => {
      if (wasLost) {
        liveTopics.forEach(refetchTopic);
        saleHandler();
      }
      wasLost = false;
    });
    source.addEventListener('error', () => {
      wasLost = true;
      // If the source is closed, the browser does not reconnect. Refetch the session, because it may have ended.
      if (source.readyState === EventSource.CLOSED)
        void queryClient.invalidateQueries({ queryKey: adminSessionQuery().queryKey });
    });
    return () => source.close();
  }, [queryClient]);
}
