import { tinyDayWords } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';
import { Badge } from '../ui/surfaces.tsx';

/** That it is one, and until it is sent the day before which it is not. */
export function GiftBadge({ order: { gift, parcel } }: { order: { gift: Gift | null; parcel?: unknown } }) {
  if (!gift) return null;
  return <Badge tone="accent">{gift.shipOn && !parcel ? `Gift for ${tinyDayWords(gift.shipOn)}` : 'Gift'}</Badge>;
}
