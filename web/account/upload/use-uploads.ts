import { useQueryClient } from '@tanstack/react-query';
import type { UploadView } from '#contract/frames.ts';
import { failureText, useUploadQueue } from '../../sending/use-upload-queue.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { computeLimitsAfterUpload } from './limits-cache.ts';

/** The uploads of a signed-in customer to all their frames. */
export function useUploads(customerId: string) {
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const handleSessionEnd = useSessionEnd();
  const { queryKey } = limitsQuery();
  return useUploadQueue<UploadView>({
    sender: { id: customerId, isGuest: false },
    endpoint: '/api/arrivals',
    mayStillGo: (frameId) =>
      (queryClient.getQueryData(queryKey)?.frames ?? []).some(
        (frame) => frame.deviceId === frameId && !frame.uploadFinalized,
      ),
    onArrived: (photo, frameId) => showLimits((limits) => computeLimitsAfterUpload(limits, frameId!, photo)),
    // After the last upload, load the current data from the shop and report the failed photos.
    onEnd: (failed) => {
      void queryClient.invalidateQueries({ queryKey });
      const message = failureText(failed);
      if (message !== undefined) toast({ title: 'Upload failed', description: message, destructive: true });
      for (const { error } of failed) handleSessionEnd(error);
    },
  });
}
