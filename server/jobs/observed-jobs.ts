import type { JobRunner } from '#adapters/database/database.ts';
import type { Shop } from '../shop.ts';

/** The functions with which each module registers its jobs. */
export type JobRegistrar = Pick<JobRunner, 'startWorkers' | 'schedule'>;

/**
 * Wraps the job queue: logs the error of each failed job, and measures how long jobs take. The queue retries failed
 * jobs.
 */
export function createObservedJobRegistrar({ database, log, metrics }: Shop): JobRegistrar {
  return {
    schedule: (name, cron) => database.jobs.schedule(name, cron),
    startWorkers: (name, handler, options) =>
      database.jobs.startWorkers(
        name,
        (data, attempt) => {
          const stopTimer = metrics.jobs.startTimer({ job: name });
          return handler(data, attempt).then(
            () => void stopTimer({ end: 'done' }),
            (error: unknown) => {
              stopTimer({ end: 'failed' });
              log[attempt.isLastTry ? 'error' : 'warn'](
                { err: error, job: name, isLastTry: attempt.isLastTry },
                'a job failed',
              );
              throw error;
            },
          );
        },
        options,
      ),
  };
}
