import type { JobRunner } from '#adapters/database/database.ts';
import type { Shop } from '../shop.ts';

/** What each word mounts its jobs on. */
export type Jobs = Pick<JobRunner, 'work' | 'schedule'>;

/** A job that fails is tried again by the queue; the log says that it failed, and why, and how long jobs take is measured. */
export function telling({ database, log, metrics }: Shop): Jobs {
  return {
    schedule: (name, cron) => database.jobs.schedule(name, cron),
    work: (name, handler, options) =>
      database.jobs.work(
        name,
        (data, attempt) => {
          const end = metrics.jobs.startTimer({ job: name });
          return handler(data, attempt).then(
            () => void end({ end: 'done' }),
            (error: unknown) => {
              end({ end: 'failed' });
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
