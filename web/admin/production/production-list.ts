import type { AdminVideo, ProductionOrder } from '#contract/admin.ts';
import type { Show } from '../list-params.ts';

export type ProductionFrame = ProductionOrder['frames'][number];

export const isUnderWay = ({ state }: AdminVideo) => state === 'queued' || state === 'rendering';
const videosOf = (order: ProductionOrder) => order.frames.flatMap((it) => it.videos);

/** Something moves on by itself, so the page looks again. */
export const hasWork = (orders: readonly ProductionOrder[] | undefined) =>
  orders?.some((order) => videosOf(order).some(isUnderWay)) ?? false;

const isDelivered = (order: ProductionOrder) =>
  order.frames.every((it) => it.finalizedAt === null || it.videosReadyAt !== null);
const belongs: Record<Show, (order: ProductionOrder) => boolean> = {
  open: (order) => !isDelivered(order),
  review: (order) => videosOf(order).some((it) => it.state === 'rendered'),
  'under-way': (order) => videosOf(order).some(isUnderWay),
  failed: (order) => videosOf(order).some((it) => it.state === 'failed'),
  delivered: isDelivered,
};

/** What is promised soonest stands first; what is delivered stands last, newest first. */
export function listProduction(
  orders: readonly ProductionOrder[],
  { q = '', show }: { q?: string | undefined; show?: Show | undefined },
): ProductionOrder[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return orders
    .filter((order) => show === undefined || belongs[show](order))
    .filter(({ orderNumber, customerName, customerEmail }) => {
      const text = `${orderNumber} ${customerName} ${customerEmail}`.toLowerCase();
      return words.every((it) => text.includes(it));
    })
    .toSorted((a, b) => {
      const delivered = isDelivered(a);
      if (delivered !== isDelivered(b)) return delivered ? 1 : -1;
      return delivered ? b.finalizedAt.localeCompare(a.finalizedAt) : dueFrom(a).localeCompare(dueFrom(b));
    });
}

/** The finalize of an order's longest waiting frame. */
function dueFrom({ frames, finalizedAt }: ProductionOrder): string {
  const waiting = frames.flatMap((it) =>
    it.finalizedAt !== null && it.videosReadyAt === null ? [it.finalizedAt] : [],
  );
  return waiting.toSorted()[0] ?? finalizedAt;
}

export interface FrameCounts {
  total: number;
  underWay: number;
  toReview: number;
  approved: number;
  failed: number;
}
export function countVideos(videos: readonly AdminVideo[]): FrameCounts {
  const count = (state: AdminVideo['state']) => videos.filter((it) => it.state === state).length;
  return {
    total: videos.length,
    underWay: videos.filter(isUnderWay).length,
    toReview: count('rendered'),
    approved: count('approved'),
    failed: count('failed'),
  };
}
