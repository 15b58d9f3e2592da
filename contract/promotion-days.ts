/** Whether a promotion runs on a day of the shop's calendar, not the visitor's. Both days are inclusive. */
export const isPromotionRunning = (promo: { startDate: string; endDate: string }, today: string) =>
  promo.startDate.slice(0, 10) <= today && today <= promo.endDate.slice(0, 10);
