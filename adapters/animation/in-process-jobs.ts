import { randomUUID } from 'node:crypto';
import { createFairQueue } from '../processes/fair-queue.ts';
import {
  AnimationError,
  type AnimatedVideo,
  type AnimateRequest,
  type AnimationJob,
  type Animator,
} from '#shop/ports/animator.ts';

export interface JobObserver {
  signal?: AbortSignal;
  onProgress?: (fraction: number) => void;
}
interface InProcessJob {
  progress: number;
  /** Set after all work of the job has stopped. */
  end?: AnimationJob;
  ended: Promise<unknown>;
  stop: AbortController;
}

/**
 * The job methods of an animator whose jobs run in this process. At most `concurrency` jobs run at a time; the others
 * wait. Jobs end with the process and cost nothing.
 */
export function createInProcessJobs(
  concurrency: number,
  make: (request: AnimateRequest, following: JobObserver) => Promise<AnimatedVideo>,
): Pick<
  Animator,
  'concurrency' | 'outlivesProcess' | 'lookEveryMs' | 'priceCents' | 'start' | 'getJobStatus' | 'cancel'
> {
  const jobs = new Map<string, InProcessJob>();
  const runInTurn = createFairQueue(concurrency);
  return {
    concurrency,
    outlivesProcess: false,
    lookEveryMs: 150,
    priceCents: 0,
    async start(request) {
      const id = randomUUID();
      const stopController = new AbortController();
      const job: InProcessJob = { progress: 0, stop: stopController, ended: Promise.resolve() };
      const onProgress = (fraction: number) => void (job.progress = fraction);
      job.ended = runInTurn(id, async () => {
        stopController.signal.throwIfAborted();
        return make(request, { signal: stopController.signal, onProgress });
      }).then(
        (video) => (job.end = { state: 'done', video }),
        (error: unknown) => (job.end = { state: 'failed', error: asAnimationError(error) }),
      );
      jobs.set(id, job);
      return id;
    },
    async getJobStatus(jobId) {
      const job = jobs.get(jobId);
      if (!job) return { state: 'unknown' };
      if (!job.end) return { state: 'working', progress: job.progress };
      jobs.delete(jobId);
      return job.end;
    },
    async cancel(jobId) {
      const job = jobs.get(jobId);
      job?.stop.abort();
      await job?.ended;
      jobs.delete(jobId);
    },
  };
}

const asAnimationError = (error: unknown) =>
  error instanceof AnimationError ? error : new AnimationError('rendering stopped', true, { cause: error });
