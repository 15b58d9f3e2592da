import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { liveTopics, type LiveTopic } from '#contract/owner/live.ts';
import { adminSessionQuery } from './session.ts';

/** What of the panel a change concerns, by the part of its address after /api/admin. */
const concerned: Record<LiveTopic, RegExp> = {
  orders: /^(lists\/(orders|customers|users)|orders|customers|stats|payment-problems|day-sheet)/,
  production: /^(lists\/production-orders|day-sheet)/,
  uploads: /^(stats|uploads|lists\/(orders|users))/,
  tickets: /^((lists\/)?support-tickets|day-sheet)/,
  reviews: /^(lists\/reviews|day-sheet)/,
  sessions: /^(session|security)$/,
};

/** Keeps what the panel shows up to date by itself, as long as it is open. */
export function useLive(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const source = new EventSource('/api/admin/live');
    const readAgain = (topic: LiveTopic) =>
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [api, admin, ...rest] }: Query) =>
          api === '/api' && admin === 'admin' && concerned[topic].test(rest.join('/')),
      });
    for (const topic of liveTopics) source.addEventListener(topic, () => readAgain(topic));
    let wasLost = false;
    source.addEventListener('open', () => {
      if (wasLost) liveTopics.forEach(readAgain);
      wasLost = false;
    });
    source.addEventListener('error', () => {
      wasLost = true;
      // Closed for good: whether for want of a session, the session's own answer tells.
      if (source.readyState === EventSource.CLOSED)
        void queryClient.invalidateQueries({ queryKey: adminSessionQuery().queryKey });
    });
    return () => source.close();
  }, [queryClient]);
}
