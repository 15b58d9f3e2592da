import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminVideo, ProductionOrder } from '#contract/owner/production.ts';
import type { MotionStyle } from '#contract/motion.ts';
import { send } from '../../data/api.ts';
import { errorWords } from '../../data/error-words.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../session.ts';
import { changeRows, refreshList } from '../list/list-query.ts';

/** What the owner does with a video. Each answers whether it was done, and has said so when it was not. */
export function useVideoActions() {
  const queryClient = useQueryClient();
  const noteEnd = useSessionEnd();
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set());

  const refresh = () => refreshList(queryClient, 'production-orders');
  const during = async (id: string, act: () => Promise<AdminVideo>, problem: string): Promise<boolean> => {
    setBusyIds((now) => new Set(now).add(id));
    try {
      showVideo(queryClient, await act());
      return true;
    } catch (error) {
      toast({ title: 'Update Failed', description: errorWords(error, problem), destructive: true });
      noteEnd(error);
      void refresh(); // it is not in the state this page believed
      return false;
    } finally {
      setBusyIds((now) => new Set([...now].filter((it) => it !== id)));
    }
  };

  const approveOne = ({ id, take }: AdminVideo) =>
    during(
      id,
      () => send('POST /api/admin/videos/:id/approve', { params: { id }, body: { take } }),
      'Failed to approve the video',
    );
  return {
    isBusy: (id: string) => busyIds.has(id),
    async approve(video: AdminVideo): Promise<boolean> {
      const done = await approveOne(video);
      if (done) void refresh(); // the last of a frame delivers it
      return done;
    },
    /** One after the other; stops at the first that cannot be approved. */
    async approveAll(videos: readonly AdminVideo[], onDone: (count: number) => void): Promise<boolean> {
      for (const [index, video] of videos.entries()) {
        if (!(await approveOne(video))) return false;
        onDone(index + 1);
      }
      await refresh();
      return true;
    },
    /** The owner's own MP4 in its place. */
    async putFilm({ id }: AdminVideo, film: File): Promise<boolean> {
      const form = new FormData();
      form.append('film', film);
      const act = () => send('PUT /api/admin/videos/:id/film', { params: { id }, form });
      const done = await during(id, act, 'Failed to send the film');
      if (done) void refresh();
      return done;
    },
    async redo(
      { id, take }: AdminVideo,
      again: { style: MotionStyle; isLocal: boolean; isTitled?: boolean },
    ): Promise<boolean> {
      const act = () => send('POST /api/admin/videos/:id/redo', { params: { id }, body: { ...again, take } });
      const done = await during(id, act, 'Failed to start the video again');
      if (done) void refresh();
      return done;
    },
  };
}
/** Show a video as the shop has just answered it, before its list is asked for again. */
const showVideo = (queryClient: QueryClient, video: AdminVideo) =>
  changeRows<ProductionOrder>(queryClient, 'production-orders', (order) => ({
    ...order,
    frames: order.frames.map((frame) => ({
      ...frame,
      videos: frame.videos.map((it) => (it.id === video.id ? video : it)),
    })),
  }));

export type VideoActions = ReturnType<typeof useVideoActions>;
