import { setTimeout as wait } from 'node:timers/promises';
import type { AnimationJob, Animator } from '../ports/animator.ts';
import type { AnimationNews } from './animation-news.ts';

interface Watching {
  signal?: AbortSignal;
  /** 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Looks sooner where there is news of the job. */
  news?: AnimationNews;
}

/**
 * Wait until an ordered job has ended, and answer how. When `signal` aborts, a job that would end with this process is
 * stopped; another goes on, to be found again. Rejects with AnimationError where the animator cannot be asked.
 */
export async function watchJob(
  animator: Animator,
  jobId: string,
  folder: string,
  { signal, onProgress, news }: Watching = {},
): Promise<Exclude<AnimationJob, { state: 'working' }>> {
  try {
    for (;;) {
      const job = await animator.look(jobId, folder);
      if (job.state !== 'working') return job;
      onProgress?.(job.progress);
      const { lookEveryMs } = animator;
      await (news ? news.heardOf(jobId, lookEveryMs, signal) : wait(lookEveryMs, undefined, { signal }));
    }
  } catch (error) {
    if (signal?.aborted && !animator.outlivesProcess) await animator.cancel(jobId);
    throw error;
  }
}
