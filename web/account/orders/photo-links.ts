import type { OrderDetail } from '#contract/orders.ts';

export type OrderFrame = OrderDetail['frames'][number];

/** Whether a frame without photos was refunded. A refund removes the unused room, so no room is left. */
export const isRefunded = ({ photoLimit }: OrderFrame) => photoLimit === 0;

export const addPhotosLabel = 'Add photos';

/** The labels of the links to an order's photos: two if photos can be added and there are videos, otherwise one. */
export function createPhotoLinks({ frames }: Pick<OrderDetail, 'frames'>): string[] {
  const hasOpenFrame = frames.some((it) => !it.isFinalized && !isRefunded(it));
  const hasVideos = frames.some((it) => it.hasVideos);
  if (hasOpenFrame) return hasVideos ? [addPhotosLabel, 'See my photos and videos'] : [addPhotosLabel];
  return [hasVideos ? 'See my photos and videos' : 'Look at my photos'];
}
