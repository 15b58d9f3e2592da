import type { OrderStatus } from '#contract/orders.ts';
import { Badge } from '../ui/surfaces.tsx';
import { statusLabels } from './search.ts';

/**
 * As in specification 2, section 4: completed is default, processing secondary, shipped outline, others destructive.
 */
const tones: Record<OrderStatus, 'accent' | 'neutral' | 'outline' | 'bad'> = {
  completed: 'accent',
  processing: 'neutral',
  shipped: 'outline',
  pending: 'bad',
};

interface BadgeOrder {
  orderStatus: OrderStatus;
  canceledAt: string | null;
}

/** The status of an order, the same in every tab. A canceled order shows only that. */
export const StatusBadge = ({ order: { orderStatus, canceledAt } }: { order: BadgeOrder }) =>
  canceledAt ? (
    <Badge tone="bad">Canceled</Badge>
  ) : (
    <Badge tone={tones[orderStatus]}>{statusLabels[orderStatus]}</Badge>
  );
