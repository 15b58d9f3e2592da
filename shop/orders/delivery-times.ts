import type { Content } from '#contract/content.ts';
import { defaultDeliveryTimes, type DeliveryTimes } from '#contract/catalog.ts';

/** Numbers of days that the server's environment variables set. They win over the owner's numbers. */
export interface DaysSetByServer {
  handlingDays?: number | undefined;
  transitDays?: number | undefined;
}

/** The days that estimates use: set by the server, else by the owner in the panel, else built in. */
export function deliveryTimesOf(setByServer: DaysSetByServer, owners: Content<'shipping'>): DeliveryTimes {
  const { shipsOn, vacationFrom: from, vacationTo: to } = owners;
  return {
    handlingDays: setByServer.handlingDays ?? owners.handlingDays ?? defaultDeliveryTimes.handlingDays,
    transitDays: setByServer.transitDays ?? owners.transitDays ?? defaultDeliveryTimes.transitDays,
    shipsOn,
    ...(from !== '' && to !== '' && { vacation: { from, to } }),
  };
}
