import { sql } from 'drizzle-orm';
import type { Db as QueueDb, JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import type { Db } from '#shop/ports/database.ts';
import type { JobName, KnownJob } from '#shop/ports/jobs.ts';
import type { JobRunner } from './database.ts';

interface QueuePolicy {
  /** Tries after the first. */
  retries: number;
  /** Seconds before the first retry; doubled each time, */
  delaySeconds: number;
  /** up to these; an hour unless said. */
  longestDelaySeconds?: number;
  /** A job silent for so long is given to another worker. */
  heartbeatSeconds: number;
  /** A job running longer than this has failed. */
  expireSeconds: number;
  /** The queue a job goes to, with its data, when its last try has failed. It stands before this one. */
  lostTo?: JobName;
  /** One at a time over all processes; whose worker fell silent is none. Others wait. */
  isAlone?: true;
}

/** Every queue there is. What must not be lost (mail, paid money) is tried for days. */
const queues: Record<JobName, QueuePolicy> = {
  // Several at once wait for one another at a mail server that takes a minute for each.
  'send-mail': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 900 },
  'mail-password-reset': { retries: 5, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 60 },
  'mail-sign-in-link': { retries: 5, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 60 },
  'give-up-video': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 60 },
  // Also tried again where its process was killed, which is nobody's fault: a deployment that goes wrong kills many times.
  'render-video': {
    retries: 8,
    delaySeconds: 5,
    longestDelaySeconds: 60,
    heartbeatSeconds: 10,
    expireSeconds: 900,
    lostTo: 'give-up-video',
  },
  'settle-payment': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 120 },
  'cancel-payment': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 120 },
  'refund-payment': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'ask-refund': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'follow-refunds': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'follow-disputes': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'follow-fraud-warnings': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'settle-open-payments': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'read-fees': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'remind-photos': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'ask-for-reviews': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 900 },
  'sweep-arrivals': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'end-proofs': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'finish-erasure': { retries: 50, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 900 },
  'erase-photos': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 900 },
  'mail-day-sheet': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'fold-tallies': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 60 },
  'sweep-files': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 900 },
  'back-up': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 12 * 3600, isAlone: true },
  'forget-old': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 900 },
};

/** A higher number is served first: what was promised earlier has the higher. Seconds, so that it is an integer of 32 bits. */
const priorityOf = (promisedSince: Date | undefined) =>
  promisedSince && { priority: -Math.floor(promisedSince.getTime() / 1000) };

const off = () => Promise.reject(new Error('this process opened the database without its queue'));
/** Jobs that the queue tells apart from those of no group, so that it can count them. */
const groupOf = (name: JobName) => queues[name].isAlone && { group: { id: name } };

/** For tools that only read. */
export const noJobs: JobRunner = {
  enqueue: off,
  enqueueAll: off,
  find: off,
  standing: off,
  waiting: off,
  work: off,
  schedule: off,
  rest: async () => {},
};

/** The queue's statements inside a transaction, sent as they stand: taking them apart and together again takes longer. */
const inside = (tx: Db): QueueDb => ({
  executeSql: (text, values = []) =>
    tx._.session.prepareQuery({ sql: text, params: values }, undefined, undefined, false).execute() as ReturnType<
      QueueDb['executeSql']
    >,
});

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
  const resting = new AbortController();
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
      retryDelayMax: policy.longestDelaySeconds ?? 3600,
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
    async enqueue(tx, name, data, { key, afterSeconds, promisedSince } = {}) {
      // Without a key every job is its own: the short policy keeps only one waiting job per singleton key.
      await boss.send(name, data, {
        db: inside(tx),
        singletonKey: key ?? crypto.randomUUID(),
        ...priorityOf(promisedSince),
        ...groupOf(name),
        ...(afterSeconds !== undefined && { startAfter: afterSeconds }),
      });
      if (afterSeconds === undefined) ringSoon(name);
    },
    async enqueueAll(tx, name, data, { promisedSince } = {}) {
      const same = { ...priorityOf(promisedSince), ...groupOf(name) };
      const waiting = data.map((one) => ({ data: one, singletonKey: crypto.randomUUID(), ...same }));
      await boss.insert(name, waiting, { db: inside(tx) });
      ringSoon(name);
    },
    async find(tx, name, data) {
      // Its dates come as this connection reads them, which is as text.
      const timeOf = (it: { createdOn: Date | string }) => new Date(it.createdOn).getTime();
      const found = await boss.findJobs(name, { data, db: inside(tx) });
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
    async standing(tx, { longerThanSeconds, waitingExcept, failedExcept }) {
      const isIn = (names: readonly JobName[]) =>
        sql`name in (${sql.join(
          names.map((it) => sql`${it}`),
          sql`, `,
        )})`;
      const { rows: waiting } = await tx.execute<{ since: Date | string | null }>(sql`
        select min(start_after) as since from jobs.job where state < 'active' and start_after < now() - make_interval(secs => ${longerThanSeconds}) and not ${isIn(waitingExcept)}`);
      const { rows: failed } = await tx.execute<{ name: JobName; count: number }>(sql`
        select name, failed_count as count from jobs.queue where failed_count > 0 and not ${isIn(failedExcept)} order by name`);
      const since = waiting[0]?.since;
      return { waitingSince: since ? new Date(since) : undefined, failed };
    },
    async waiting(tx) {
      const { rows } = await tx.execute<{
        name: string;
        count: number;
        since: Date | string | null;
        failed: number;
      }>(sql`
        select queue.name, coalesce(count, 0)::integer as count, since, failed_count as failed
        from jobs.queue left join (
          select name, count(*) as count, min(start_after) as since from jobs.job
          where state < 'active' and not blocked and start_after <= now() group by name
        ) as waiting on waiting.name = queue.name
        where queue.name !~ '^__' order by queue.name`);
      return rows.map(({ since, ...it }) => ({ ...it, since: since ? new Date(since) : undefined }));
    },
    async work(name, handler, { atOnce = 1, together = 1 } = {}) {
      listening ??= bell.listen(
        (queue) => wake((it) => it === queue),
        () => wake(() => true),
      );
      await listening;
      const options = {
        includeMetadata: true,
        perJobResults: true,
        batchSize: together,
        pollingIntervalSeconds: pollSeconds,
        ...(queues[name].isAlone && { groupConcurrency: 1 }),
      } as const;
      const take = async (job: JobWithMetadata<unknown>) => {
        const signal = AbortSignal.any([job.signal, resting.signal]);
        try {
          await handler(job.data as never, { signal, isLastTry: job.retryCount >= job.retryLimit });
        } catch (error) {
          if (!resting.signal.aborted) throw error;
          // Not its fault: it begins anew elsewhere, with all its tries.
          const { priority } = job;
          await boss.send(name, job.data as object, {
            singletonKey: job.singletonKey ?? crypto.randomUUID(),
            priority,
            ...groupOf(name),
          });
          await bell.ring(name).catch(() => {});
        }
      };
      const endOf = (job: JobWithMetadata<unknown>): Promise<JobResult> =>
        take(job).then(
          () => ({ id: job.id, status: 'completed' }),
          (error: unknown) => ({ id: job.id, status: 'failed', output: error }),
        );
      for (let at = 0; at < atOnce; at++) {
        const id = await boss.work(name, options, (jobs) => {
          // There may be more: look again as soon as these are done.
          if (jobs.length === together) wake((it) => it === name);
          return Promise.all(jobs.map(endOf));
        });
        workers.push({ queue: name, id });
      }
    },
    async rest() {
      resting.abort(new Error('this process is stopping'));
      await Promise.all([...new Set(workers.map((it) => it.queue))].map((queue) => boss.offWork(queue)));
    },
    async schedule(name, cron) {
      await boss.schedule(name, cron, {}, { singletonKey: name, ...groupOf(name) });
    },
  };
}
