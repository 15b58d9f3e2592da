/** Carriers whose parcels can be followed; any other is just named. */
export const carriers = ['USPS', 'UPS', 'FedEx', 'Canada Post'] as const;
type Carrier = (typeof carriers)[number];

const pages: Record<Carrier, (number: string) => string> = {
  USPS: (number) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`,
  UPS: (number) => `https://www.ups.com/track?tracknum=${number}`,
  FedEx: (number) => `https://www.fedex.com/fedextrack/?trknbr=${number}`,
  'Canada Post': (number) => `https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=${number}`,
};

/** Where a parcel is followed; undefined without a number, or with a carrier we know no page of. */
export function trackingUrl(carrier: string | null, trackingNumber: string | null): string | undefined {
  const known = carriers.find((it) => it.toLowerCase() === carrier?.trim().toLowerCase());
  if (!known || !trackingNumber) return;
  return pages[known](encodeURIComponent(trackingNumber.replace(/[\s-]/g, '')));
}
