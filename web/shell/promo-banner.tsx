import { useQuery } from '@tanstack/react-query';
import { promosQuery } from '../data/queries.ts';
import type { Content } from '#contract/content.ts';
import { isPromotionRunning } from '#contract/promotion-days.ts';
import { useToday } from './use-today.ts';

/** Shows a promotion's message on its days. The first render uses the server's day, later ones the browser's clock. */
export function PromoBanner({ day }: { day: string }) {
  const { data: promos } = useQuery(promosQuery());
  return Array.isArray(promos) && promos.length > 0 && <RunningPromotions promos={promos} day={day} />;
}

function RunningPromotions({ promos, day }: { promos: Content<'promos'>; day: string }) {
  const today = useToday(day);
  const promo = promos.find((it) => isPromotionRunning(it, today));
  if (!promo) return null;
  return (
    <aside
      aria-label="Promotion"
      className="print:hidden on-night bg-night px-5 py-3 text-center text-[0.9375rem] font-medium text-paper"
    >
      {promo.message}
      {promo.banner === 'code' && promo.discountCode && (
        <>
          {' '}
          <span className="whitespace-nowrap">
            Use code <strong className="font-semibold select-all">{promo.discountCode.trim()}</strong>
            {promo.discountPercent ? ` for ${promo.discountPercent}% off` : ''}.
          </span>
        </>
      )}
    </aside>
  );
}
