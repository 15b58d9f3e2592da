import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '../ports/database.ts';

type Listen = (channel: string, hear: (jobId: string) => void, onGap: () => void) => Promise<unknown>;

const channel = 'animation';

/** Where who waits for a hosted job hears that there is something to look at. */
export interface AnimationNews {
  /** Resolves when the job is told of, or after `ms`. Rejects when `signal` aborts. */
  heardOf(jobId: string, ms: number, signal?: AbortSignal): Promise<void>;
}

/** Told to whichever process waits: only that somebody should look, never how the job stands. */
export const tellOfAnimation = (db: Db, jobId: string) => db.execute(sql`select pg_notify(${channel}, ${jobId})`);

export async function hearOfAnimations(listen: Listen): Promise<AnimationNews> {
  const waiting = new Map<string, () => void>();
  await listen(
    channel,
    (jobId) => waiting.get(jobId)?.(),
    () => waiting.forEach((wake) => wake()),
  );
  return {
    async heardOf(jobId, ms, signal) {
      const enough = new AbortController();
      const heard = new Promise<void>((resolve) => void waiting.set(jobId, resolve));
      try {
        await Promise.race([
          heard,
          wait(ms, undefined, { signal: AbortSignal.any([enough.signal, ...(signal ? [signal] : [])]) }),
        ]);
      } finally {
        waiting.delete(jobId);
        enough.abort();
      }
    },
  };
}
