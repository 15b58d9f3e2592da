import type { QueryClient } from '@tanstack/react-query';
import type { AdminVideo } from '#contract/admin.ts';
import { query } from '../../data/api.ts';

/** Orders with finalized frames, and how far each video is. */
export const productionQuery = () => query('/api/admin/production-orders');

/** Show a video as the shop has just answered, before the list is asked for again. */
export function showVideo(queryClient: QueryClient, video: AdminVideo): void {
  const { queryKey } = productionQuery();
  queryClient.setQueryData(queryKey, (orders) =>
    orders?.map((order) => ({
      ...order,
      frames: order.frames.map((frame) => ({
        ...frame,
        videos: frame.videos.map((it) => (it.id === video.id ? video : it)),
      })),
    })),
  );
}
