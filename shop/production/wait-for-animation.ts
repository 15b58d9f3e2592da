import { setTimeout as wait } from 'node:timers/promises';
import type { AnimationJob, Animator } from '../ports/animator.ts';
import type { AnimationNotifications } from './animation-notifications.ts';

interface WatchScope {
  signal?: AbortSignal;
  /** 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Reports changes of the job, so that its state is read sooner. */
  news?: AnimationNotifications;
}

/**
 * Waits until an animator's job has ended, and returns its result. When `signal` aborts, a job that cannot outlive this
 * process is canceled. Any other job continues, and the next attempt finds it again. Rejects with AnimationError if the
 * animator cannot be queried.
 */
export async function waitForAnimation(
  animator: Animator,
  jobId: string,
  folder: string,
  { signal, onProgress, news }: WatchScope = {},
): Promise<Exclude<AnimationJob, { state: 'working' }>> {
  try {
    for (;;) {
      const job = await animator.getJobStatus(jobId, folder);
      if (job.state !== 'working') return job;
      onProgress?.(job.progress);
      const { lookEveryMs } = animator;
      await (news ? news.waitForNotification(jobId, lookEveryMs, signal) : wait(lookEveryMs, undefined, { signal }));
    }
  } catch (error) {
    if (signal?.aborted && !animator.outlivesProcess) await animator.cancel(jobId);
    throw error;
  }
}
