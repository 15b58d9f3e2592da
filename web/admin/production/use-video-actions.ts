import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminVideo, ProductionOrder } from '#contract/owner/production.ts';
import type { MotionStyle } from '#contract/motion.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../session.ts';
import { changeCachedRows, refreshList } from '../list/list-query.ts';

/** The owner's actions on videos. Each returns whether it succeeded, and shows a toast if it failed. */
export function useVideoActions() {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set());

  const refresh = () => refreshList(queryClient, 'production-orders');
  const runWhileBusy = async (id: string, act: () => Promise<AdminVideo>, problem: string): Promise<boolean> => {
    setBusyIds((now) => new Set(now).add(id));
    try {
      showVideo(queryClient, await act());
      return true;
    } catch (error) {
      toast({ title: 'Update Failed', description: errorText(error, problem), destructive: true });
      handleSessionEnd(error);
      void refresh(); // the video may have another state than this page shows
      return false;
    } finally {
      setBusyIds((now) => new Set([...now].filter((it) => it !== id)));
    }
  };

  const approveOne = ({ id, take }: AdminVideo) =>
    runWhileBusy(
      id,
      () => send('POST /api/admin/videos/:id/approve', { params: { id }, body: { take } }),
      'Failed to approve the video',
    );
  return {
    isBusy: (id: string) => busyIds.has(id),
    async approve(video: AdminVideo): Promise<boolean> {
      const isDone = await approveOne(video);
      if (isDone) void refresh(); // approving the last video of a frame delivers the frame
      return isDone;
    },
    /** Approves the videos one after the other. Stops at the first failure. */
    async approveAll(videos: readonly AdminVideo[], onDone: (count: number) => void): Promise<boolean> {
      for (const [index, video] of videos.entries()) {
        if (!(await approveOne(video))) return false;
        onDone(index + 1);
      }
      await refresh();
      return true;
    },
    /** Replaces the video with the owner's own video file. */
    async replaceVideo({ id }: AdminVideo, film: File): Promise<boolean> {
      const form = new FormData();
      form.append('film', film);
      const sendVideoFile = () => send('PUT /api/admin/videos/:id/film', { params: { id }, form });
      const isDone = await runWhileBusy(id, sendVideoFile, 'Failed to upload the video');
      if (isDone) void refresh();
      return isDone;
    },
    /** Discards the new take. The customer still sees the approved take. */
    async discardNewTake({ id }: AdminVideo): Promise<boolean> {
      const keepLiveTake = () => send('POST /api/admin/videos/:id/keep-live', { params: { id } });
      const isDone = await runWhileBusy(id, keepLiveTake, 'Failed to keep the earlier video');
      if (isDone) void refresh();
      return isDone;
    },
    async redo(
      { id, take }: AdminVideo,
      again: { style: MotionStyle; isLocal: boolean; isTitled?: boolean },
    ): Promise<boolean> {
      const requestRedo = () => send('POST /api/admin/videos/:id/redo', { params: { id }, body: { ...again, take } });
      const isDone = await runWhileBusy(id, requestRedo, 'Failed to restart the video');
      if (isDone) void refresh();
      return isDone;
    },
  };
}
/** Updates the cached video with the API's response, before its list is fetched again. */
const showVideo = (queryClient: QueryClient, video: AdminVideo) =>
  changeCachedRows<ProductionOrder>(queryClient, 'production-orders', (order) => ({
    ...order,
    frames: order.frames.map((frame) => ({
      ...frame,
      videos: frame.videos.map((it) => (it.id === video.id ? video : it)),
    })),
  }));

export type VideoActions = ReturnType<typeof useVideoActions>;
