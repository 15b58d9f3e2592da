import { sql } from 'drizzle-orm';
import { fromDrizzle, type PgBoss } from 'pg-boss';
import type { JobName, KnownJob } from '#shop/ports.ts';
import type { JobRunner } from './database.ts';

interface QueuePolicy {
  /** Tries after the first. */
  retries: number;
  /** Seconds before the first retry; doubled each time. */
  delaySeconds: number;
  /** A job silent for so long is given to another worker. */
  heartbeatSeconds: number;
  /** A job running longer than this has failed. */
  expireSeconds: number;
  /** The queue a job goes to, with its data, when its last try has failed. It stands before this one. */
  lostTo?: JobName;
}

/** Every queue there is. What must not be lost (mail, paid money) is tried for days. */
const queues: Record<JobName, QueuePolicy> = {
  'send-mail': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'mail-password-reset': { retries: 5, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 60 },
  'give-up-video': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 60 },
  'render-video': {
    retries: 4,
    delaySeconds: 5,
    heartbeatSeconds: 10,
    expireSeconds: 900,
    lostTo: 'give-up-video',
  },
  'settle-payment': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 120 },
  'refund-payment': { retries: 20, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'ask-refund': { retries: 20, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'follow-refunds': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 120 },
  'follow-disputes': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 120 },
  'settle-open-payments': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'remind-photos': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'sweep-files': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 900 },
};

const off = () => Promise.reject(new Error('this process opened the database without its queue'));
/** For tools that only read. */
export const noJobs: JobRunner = { enqueue: off, enqueueAll: off, find: off, work: off, schedule: off };

/** How the processes that take jobs hear that there are some; what is not heard is found by looking. */
export interface Bell {
  ring(queue: string): Promise<unknown>;
  listen(hear: (queue: string) => void, onGap: () => void): Promise<unknown>;
}
/** Long enough for most transactions to have committed, and for many jobs to be told of at once. */
const ringAfterMs = 50;

export async function startJobs(boss: PgBoss, pollSeconds: number, bell: Bell): Promise<JobRunner> {
  await boss.start();
  const workers: { queue: string; id: string }[] = [];
  const wake = (isMeant: (queue: string) => boolean) => {
    for (const { queue, id } of workers) if (isMeant(queue)) boss.notifyWorker(id);
  };
  let listening: Promise<unknown> | undefined;
  const toRing = new Set<string>();
  // Not in the transaction of the job: commits that notify wait for one another, disk and all.
  function ringSoon(queue: string) {
    if (toRing.size === 0)
      setTimeout(() => {
        const queues = [...toRing];
        toRing.clear();
        for (const it of queues) bell.ring(it).catch(() => {}); // then it is found by looking
      }, ringAfterMs).unref();
    toRing.add(queue);
  }
  const known = new Set((await boss.getQueues()).map((it) => it.name));
  for (const [name, policy] of Object.entries(queues)) {
    const options = {
      retryLimit: policy.retries,
      retryDelay: policy.delaySeconds,
      retryBackoff: true,
      retryDelayMax: 3600,
      heartbeatSeconds: policy.heartbeatSeconds,
      expireInSeconds: policy.expireSeconds,
      retentionSeconds: 14 * 86_400,
      deleteAfterSeconds: 7 * 86_400,
      notify: false, // the bell does
      ...(policy.lostTo && { deadLetter: policy.lostTo }),
    };
    if (known.has(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, { ...options, policy: 'short' });
    // Known to pg-boss from here on: it must not look a queue up on its own connection amid someone's transaction.
    await boss.findJobs(name, { id: crypto.randomUUID() });
  }
  return {
    async enqueue(tx, name, data, { key, afterSeconds } = {}) {
      // Without a key every job is its own: the short policy keeps only one waiting job per singleton key.
      await boss.send(name, data, {
        db: fromDrizzle(tx, sql),
        singletonKey: key ?? crypto.randomUUID(),
        ...(afterSeconds !== undefined && { startAfter: afterSeconds }),
      });
      if (afterSeconds === undefined) ringSoon(name);
    },
    async enqueueAll(tx, name, data) {
      const waiting = data.map((one) => ({ data: one, singletonKey: crypto.randomUUID() }));
      await boss.insert(name, waiting, { db: fromDrizzle(tx, sql) });
      ringSoon(name);
    },
    async find(tx, name, data) {
      // Its dates come as this connection reads them, which is as text.
      const timeOf = (it: { createdOn: Date | string }) => new Date(it.createdOn).getTime();
      const found = await boss.findJobs(name, { data, db: fromDrizzle(tx, sql) });
      const [job] = found.toSorted((a, b) => timeOf(b) - timeOf(a));
      if (!job) return undefined;
      const output = job.output as { message?: string; value?: { message?: string } } | null;
      const ends: Partial<Record<typeof job.state, KnownJob['state']>> = {
        completed: 'done',
        cancelled: 'failed',
        failed: 'failed',
      };
      const state = ends[job.state] ?? (job.state === 'retry' || job.retryCount > 0 ? 'failing' : 'waiting');
      return { state, problem: output?.message ?? output?.value?.message, nextTryAt: new Date(job.startAfter) };
    },
    async work(name, handler, { atOnce = 1 } = {}) {
      listening ??= bell.listen(
        (queue) => wake((it) => it === queue),
        () => wake(() => true),
      );
      await listening;
      const options = { includeMetadata: true, pollingIntervalSeconds: pollSeconds } as const;
      for (let at = 0; at < atOnce; at++) {
        const id = await boss.work(name, options, async ([job]) => {
          wake((it) => it === name); // there may be more: look again as soon as this is done
          if (job)
            await handler(job.data as never, { signal: job.signal, isLastTry: job.retryCount >= job.retryLimit });
        });
        workers.push({ queue: name, id });
      }
    },
    async schedule(name, cron) {
      await boss.schedule(name, cron, {}, { singletonKey: name });
    },
  };
}
