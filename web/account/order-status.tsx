import { Badge } from '../ui/surfaces.tsx';
import { stageOf, type Staged } from './order-stage.ts';

/** The status of an order, as shown to the customer. */
export function OrderStatusBadge({ order }: { order: Staged }) {
  const { words, tone } = stageOf(order);
  return <Badge tone={tone}>{words}</Badge>;
}
