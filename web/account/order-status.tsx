import { Badge } from '../ui/surfaces.tsx';

const words: Record<string, { label: string; tone: 'warn' | 'accent' | 'good' }> = {
  pending: { label: 'Awaiting Photos', tone: 'warn' },
  processing: { label: 'Processing', tone: 'accent' },
  completed: { label: 'Completed', tone: 'good' },
  shipped: { label: 'Shipped', tone: 'good' },
};

/** How far an order is, as its customer reads it. */
export function OrderStatusBadge({ status }: { status: string }) {
  const { label, tone } = words[status] ?? { label: status, tone: 'warn' };
  return <Badge tone={tone}>{label}</Badge>;
}
