import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '../ports/database.ts';

type SubscribeToChannel = (channel: string, onMessage: (jobId: string) => void, onGap: () => void) => Promise<unknown>;

const animationChannel = 'animation';

/** Notifies code that waits for a job of a hosted animator when it should check that job. */
export interface AnimationNotifications {
  /** Resolves when a notification for the job arrives, or after `ms` milliseconds. Rejects when `signal` aborts. */
  waitForNotification(jobId: string, ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Notifies the process that waits for the job. That process must read the job's state itself, because the notification
 * does not contain it.
 */
export const notifyOfAnimation = (db: Db, jobId: string) =>
  db.execute(sql`select pg_notify(${animationChannel}, ${jobId})`);

export async function subscribeToAnimations(listen: SubscribeToChannel): Promise<AnimationNotifications> {
  const callbacksByJob = new Map<string, () => void>();
  await listen(
    animationChannel,
    (jobId) => callbacksByJob.get(jobId)?.(),
    () => callbacksByJob.forEach((wake) => wake()),
  );
  return {
    async waitForNotification(jobId, ms, signal) {
      const endController = new AbortController();
      const receivedPromise = new Promise<void>((resolve) => void callbacksByJob.set(jobId, resolve));
      try {
        await Promise.race([
          receivedPromise,
          wait(ms, undefined, { signal: AbortSignal.any([endController.signal, ...(signal ? [signal] : [])]) }),
        ]);
      } finally {
        callbacksByJob.delete(jobId);
        endController.abort();
      }
    },
  };
}
