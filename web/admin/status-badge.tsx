import type { OrderStatus } from '#contract/orders.ts';
import { Badge } from '../ui/surfaces.tsx';
import { statusWords } from './search.ts';

/**
 * As in specification 2, section 4: completed is default, processing secondary, shipped outline, others destructive.
 */
const tones: Record<OrderStatus, 'accent' | 'neutral' | 'outline' | 'bad'> = {
  completed: 'accent',
  processing: 'neutral',
  shipped: 'outline',
  pending: 'bad',
};

export const StatusBadge = ({ status }: { status: OrderStatus }) => (
  <Badge tone={tones[status]}>{statusWords[status]}</Badge>
);
