import { countText } from '#contract/count-text.ts';
import type { ShippingCheck } from '#contract/owner/orders.ts';

/** The warnings before a package ships, one sentence for each unfinished thing. Empty if all is done. */
export function listShippingWarnings({ isEmailProven, frames }: ShippingCheck, customerEmail: string): string[] {
  return [
    ...frames.flatMap(({ name, photos, mostPhotos, isFinalized, videos, openVideos }) => [
      ...(isFinalized ? [] : [`${name}: the customer isn’t done adding photos (${photos} of ${mostPhotos}).`]),
      ...(openVideos > 0 ? [`${name}: ${openVideos} of ${countText(videos, 'video')} not approved yet.`] : []),
    ]),
    ...(isEmailProven ? [] : [`The customer hasn’t confirmed the email address ${customerEmail}.`]),
  ];
}
