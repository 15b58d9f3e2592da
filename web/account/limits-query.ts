import { useQueryClient } from '@tanstack/react-query';
import type { FramePhotoLimits } from '#contract/frames.ts';
import { query } from '../data/api.ts';

/** The customer's frames with their photos and remaining room. */
export const limitsQuery = () => query('/api/frame-photo-limits', { query: {} });

/** Returns a function that updates the cached photo limits at once, without a request to the shop. */
export function useShowLimits() {
  const queryClient = useQueryClient();
  const { queryKey } = limitsQuery();
  return (change: (limits: FramePhotoLimits) => FramePhotoLimits) => {
    // A response that is still loading may be older than this change and would overwrite it.
    void queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, (limits) => limits && change(limits));
  };
}
