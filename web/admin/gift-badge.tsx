import { monthDayText } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';
import { Badge } from '../ui/surfaces.tsx';

/** Marks an order as a gift. If the customer chose a shipping day, the badge shows it until the gift ships. */
export function GiftBadge({ order: { gift, parcel } }: { order: { gift: Gift | null; parcel?: unknown } }) {
  if (!gift) return null;
  return <Badge tone="accent">{gift.shipOn && !parcel ? `Gift for ${monthDayText(gift.shipOn)}` : 'Gift'}</Badge>;
}
