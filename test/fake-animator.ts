import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AnimationError, type AnimateRequest, type AnimatedVideo, type Animator } from '#shop/ports/animator.ts';

async function writeVideo(folder: string, seconds: number): Promise<AnimatedVideo> {
  const [videoPath, posterPath] = [join(folder, 'video.mp4'), join(folder, 'poster.jpg')];
  await writeFile(videoPath, 'a video');
  await writeFile(posterPath, 'a poster');
  const provenance = { by: 'local', style: 'drift' } as const;
  return { videoPath, posterPath, width: 1280, height: 800, seconds, sizeBytes: 'a video'.length, provenance };
}

/** Makes a "video" immediately. */
export const fakeAnimator: Animator = {
  id: 'fake',
  outlivesProcess: false,
  lookEveryMs: 1,
  concurrency: 1,
  priceCents: 0,
  start: async ({ seconds }) => `job-of-${seconds}-seconds`,
  getJobStatus: async (jobId, folder) => ({
    state: 'done',
    video: await writeVideo(folder, Number(jobId.split('-')[2])),
  }),
  cancel: async () => {},
  check: async () => {},
};

/** An animator whose jobs all end with this error, without a video. */
export const createFailingAnimator = (words: string, retryable: boolean): Animator => ({
  ...fakeAnimator,
  id: 'broken',
  getJobStatus: async () => ({ state: 'failed', error: new AnimationError(words, retryable) }),
});

/** An animator that refuses every photo. */
export const brokenAnimator = createFailingAnimator('this photo will not move', false);

export interface HostedAnimator extends Animator {
  /** Every accepted order, with its current state. */
  orders: { key: string; jobId: string; request: AnimateRequest; state: 'working' | 'done' | 'failed' | 'cancelled' }[];
}
/**
 * Keeps its jobs outside the process, like a hosted animator. A job ends when the test says so, even if the process
 * that ordered it has exited.
 */
export function createHostedAnimator(): HostedAnimator {
  const animationJobs: HostedAnimator['orders'] = [];
  return {
    ...fakeAnimator,
    id: 'hosted',
    outlivesProcess: true,
    orders: animationJobs,
    async start(request) {
      const existingOrder = animationJobs.find((it) => it.key === request.id);
      if (existingOrder) return existingOrder.jobId;
      const order = { key: request.id, jobId: `job-${animationJobs.length + 1}`, request, state: 'working' as const };
      animationJobs.push(order);
      return order.jobId;
    },
    async getJobStatus(jobId, folder) {
      const order = animationJobs.find((it) => it.jobId === jobId);
      if (!order) return { state: 'unknown' };
      if (order.state === 'done') return { state: 'done', video: await writeVideo(folder, order.request.seconds) };
      if (order.state === 'working') return { state: 'working', progress: 0.5 };
      return { state: 'failed', error: new AnimationError(`the job was ${order.state}`, true) };
    },
    async cancel(jobId) {
      const order = animationJobs.find((it) => it.jobId === jobId);
      if (order?.state === 'working') order.state = 'cancelled';
    },
  };
}
