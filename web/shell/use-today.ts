import { useSyncExternalStore } from 'react';
import { toShopDay } from '#contract/calendar.ts';

/** The current day in the shop's time zone. The first render uses the server's day, later ones the browser's clock. */
export const useToday = (day: string) =>
  useSyncExternalStore(
    subscribeToMinutes,
    () => toShopDay(Date.now()),
    () => day,
  );

function subscribeToMinutes(onMinute: () => void) {
  const timer = setInterval(onMinute, 60_000);
  return () => clearInterval(timer);
}
