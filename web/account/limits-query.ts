import { useQueryClient } from '@tanstack/react-query';
import type { FramePhotoLimits } from '#contract/frames.ts';
import { query } from '../data/api.ts';

/** The customer's frames with their photos and their room. */
export const limitsQuery = () => query('/api/frame-photo-limits', { query: {} });

/** Show at once what the shop is told, or has just answered. */
export function useShowLimits() {
  const queryClient = useQueryClient();
  const { queryKey } = limitsQuery();
  return (change: (limits: FramePhotoLimits) => FramePhotoLimits) => {
    // An answer that is on its way does not know it, and must not take it back.
    void queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, (limits) => limits && change(limits));
  };
}
