import { Badge } from '../ui/surfaces.tsx';
import { stageOf, type Staged } from './order-stage.ts';

/** How far an order is, as its customer reads it. */
export function OrderStatusBadge({ order }: { order: Staged }) {
  const { words, tone } = stageOf(order);
  return <Badge tone={tone}>{words}</Badge>;
}
