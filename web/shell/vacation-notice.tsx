import { useQuery } from '@tanstack/react-query';
import { weekdayText } from '#contract/calendar.ts';
import { shippingQuery } from '../data/queries.ts';
import { useToday } from './use-today.ts';

/** Says, during a vacation of the shop, when frames ship again. Videos are made and delivered as usual. */
export function VacationNotice({ day }: { day: string }) {
  const { data } = useQuery(shippingQuery());
  const today = useToday(day);
  const vacation = data?.vacation;
  if (!vacation || today < vacation.from || today > vacation.to) return null;
  return (
    <aside
      aria-label="Vacation"
      className="border-b border-hair bg-accent-soft px-5 py-3 text-center text-[0.9375rem] text-ink print:hidden"
    >
      <strong className="font-semibold">Frames ship again from {weekdayText(vacation.shipsFrom)}.</strong>{' '}
      {vacation.note}
    </aside>
  );
}
