import { Badge } from '../ui/surfaces.tsx';
import { orderStageBadge, type OrderStageFields } from './order-stage.ts';

/** The status of an order, as shown to the customer. */
export function OrderStatusBadge({ order }: { order: OrderStageFields }) {
  const { words, tone } = orderStageBadge(order);
  return <Badge tone={tone}>{words}</Badge>;
}
