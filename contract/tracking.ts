import { tidyText } from './tidy.ts';

/** Carriers with a known tracking page. Other carriers are shown only by name. */
export const trackableCarriers = ['USPS', 'UPS', 'FedEx', 'Canada Post'] as const;
type Carrier = (typeof trackableCarriers)[number];

const trackingPageUrls: Record<Carrier, (number: string) => string> = {
  USPS: (number) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`,
  UPS: (number) => `https://www.ups.com/track?tracknum=${number}`,
  FedEx: (number) => `https://www.fedex.com/fedextrack/?trknbr=${number}`,
  'Canada Post': (number) => `https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=${number}`,
};

/** Returns the tracking page of a parcel. Undefined without a number or for a carrier without a known tracking page. */
export function trackingUrl(carrier: string | null, trackingNumber: string | null): string | undefined {
  const foundTrackableCarrier = trackableCarriers.find(
    (it) => it.toLowerCase() === (carrier && tidyText(carrier).toLowerCase()),
  );
  if (!foundTrackableCarrier || !trackingNumber) return;
  return trackingPageUrls[foundTrackableCarrier](encodeURIComponent(trackingNumber.replace(/[\s-]/g, '')));
}
