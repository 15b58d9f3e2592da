import type { OrderView } from '#contract/orders.ts';
import { Badge } from '../ui/surfaces.tsx';
import { stageOf } from './order-stage.ts';

/** How far an order is, as its customer reads it. */
export function OrderStatusBadge({ order }: { order: Pick<OrderView, 'status' | 'isFinalized'> }) {
  const { words, tone } = stageOf(order);
  return <Badge tone={tone}>{words}</Badge>;
}
