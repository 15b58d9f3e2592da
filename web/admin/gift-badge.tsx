import { monthDayText } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';
import { Badge } from '../ui/surfaces.tsx';

/** Marks an order as a gift. If the customer chose a shipping day, the badge shows it until the gift ships. */
export function GiftBadge({ gift, isShipped }: { gift: Gift | null; isShipped: boolean }) {
  if (!gift) return null;
  return <Badge tone="accent">{gift.shipOn && !isShipped ? `Gift for ${monthDayText(gift.shipOn)}` : 'Gift'}</Badge>;
}
