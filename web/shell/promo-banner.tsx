import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { promosQuery } from '../data/queries.ts';
import { dayOf } from '#contract/calendar.ts';
import { isRunning } from '#contract/promotion-days.ts';

/** A promotion's message while today is between its days. Starts from the server's clock, then follows our own. */
export function PromoBanner({ renderedAt }: { renderedAt: number }) {
  const { data: promos } = useQuery(promosQuery());
  const today = useToday(renderedAt);
  const promo = Array.isArray(promos) ? promos.find((it) => isRunning(it, today)) : undefined;
  if (!promo) return null;
  return (
    <aside
      aria-label="Promotion"
      className="print:hidden on-night bg-night px-5 py-3 text-center text-[0.9375rem] font-medium text-paper"
    >
      {promo.message}
    </aside>
  );
}

const useToday = (renderedAt: number) =>
  useSyncExternalStore(
    everyMinute,
    () => dayOf(Date.now()),
    () => dayOf(renderedAt),
  );

function everyMinute(tell: () => void) {
  const timer = setInterval(tell, 60_000);
  return () => clearInterval(timer);
}
