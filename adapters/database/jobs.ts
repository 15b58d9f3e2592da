import { sql } from 'drizzle-orm';
import type { Db as QueueDb, JobResult, JobWithMetadata, PgBoss, QueueResult } from 'pg-boss';
import type { Db } from '#shop/ports/database.ts';
import type { JobName, KnownJob } from '#shop/ports/jobs.ts';
import type { JobRunner } from './database.ts';

interface QueuePolicy {
  /** Retries after the first attempt. */
  retries: number;
  /** Seconds before the first retry. Doubles with each retry. pg-boss adds up to the same time at random. */
  delaySeconds: number;
  /** Longest delay before a retry. Default: one hour. */
  longestDelaySeconds?: number;
  /** A job that sends no heartbeat for this long goes to another worker. */
  heartbeatSeconds: number;
  /** A job that runs longer than this fails. */
  expireSeconds: number;
  /**
   * The queue that receives the job, with its data, when the last retry fails. `queues` must list that queue first,
   * because it must exist before this queue is created.
   */
  lostTo?: JobName;
  /**
   * Runs only one job at a time across all processes: one in the whole queue, or one for each key. A job whose worker
   * sends no heartbeat does not count.
   */
  isAlone?: 'in its queue' | 'by key';
}

/** All job queues. Jobs that must not be lost (emails, refunds, disputes) are retried for days. */
const queuePolicies: Record<JobName, QueuePolicy> = {
  // The time limit is high: a worker takes several emails at once, and they wait for each other when a slow mail server
  // takes a minute for each email.
  'send-mail': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 900 },
  'read-mailbox': {
    retries: 0,
    delaySeconds: 1,
    heartbeatSeconds: 10,
    expireSeconds: 600,
    isAlone: 'in its queue',
  },
  'announce-sale': { retries: 5, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 60 },
  // Few retries: the email about the sale is retried for days, and a late notification is of no use.
  'push-sale': { retries: 5, delaySeconds: 15, longestDelaySeconds: 600, heartbeatSeconds: 10, expireSeconds: 60 },
  'mail-password-reset': { retries: 5, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 60 },
  'mail-sign-in-link': { retries: 5, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 60 },
  'give-up-video': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 60 },
  // Many retries: an attempt also counts as failed when its process is killed. A failing deployment can kill the
  // process many times without any fault of the video.
  'render-video': {
    retries: 8,
    delaySeconds: 5,
    longestDelaySeconds: 60,
    heartbeatSeconds: 10,
    expireSeconds: 900,
    lostTo: 'give-up-video',
  },
  // Few retries: nothing waits for a preview, and the video itself does not need it.
  'make-preview': { retries: 3, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 180, isAlone: 'by key' },
  // The job notes failed attempts in the trial itself. It fails only if the process is killed or a part of the shop is
  // not available.
  'make-trial': {
    retries: 8,
    delaySeconds: 5,
    longestDelaySeconds: 60,
    heartbeatSeconds: 10,
    expireSeconds: 300,
    isAlone: 'in its queue',
  },
  'erase-trials': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 900 },
  'settle-payment': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 120 },
  'cancel-payment': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 120 },
  'mail-released-payment': { retries: 12, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 120 },
  'mail-frames-back': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'refund-payment': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'ask-refund': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'follow-refunds': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'follow-disputes': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'follow-fraud-warnings': { retries: 50, delaySeconds: 15, heartbeatSeconds: 10, expireSeconds: 120 },
  'settle-open-payments': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'read-fees': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'follow-labels': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 900, isAlone: 'in its queue' },
  'remind-photos': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'ask-for-reviews': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 900 },
  'send-gift-cards': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'remind-carts': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'sweep-arrivals': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'end-proofs': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'finish-erasure': { retries: 50, delaySeconds: 5, heartbeatSeconds: 10, expireSeconds: 900 },
  'erase-photos': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 900 },
  'mail-day-sheet': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 300 },
  'fold-tallies': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 60 },
  'sweep-files': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 900 },
  'back-up': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 12 * 3600, isAlone: 'in its queue' },
  'forget-old': { retries: 0, delaySeconds: 1, heartbeatSeconds: 10, expireSeconds: 900 },
};

/**
 * pg-boss runs the highest priority first, so an earlier promise gets a higher number. The number counts seconds,
 * because it must fit into a 32-bit integer.
 */
const computePriority = (promisedSince: Date | undefined) =>
  promisedSince && { priority: -Math.floor(promisedSince.getTime() / 1000) };

const rejectWithoutQueue = () => Promise.reject(new Error('this process opened the database without its queue'));
/** The pg-boss group of a job that must run alone. pg-boss counts the running jobs of each group. */
function createJobGroup(name: JobName, key: string | null | undefined) {
  const { isAlone } = queuePolicies[name];
  if (!isAlone) return undefined;
  return { group: { id: isAlone === 'by key' ? (key ?? name) : name } };
}

/** The job queue of a database that was opened without one, for tools that only read. Enqueueing fails. */
export const disabledJobRunner: JobRunner = {
  enqueue: rejectWithoutQueue,
  enqueueAll: rejectWithoutQueue,
  findNewestJob: rejectWithoutQueue,
  readBacklog: rejectWithoutQueue,
  countWaiting: rejectWithoutQueue,
  isBusy: rejectWithoutQueue,
  startWorkers: rejectWithoutQueue,
  schedule: rejectWithoutQueue,
  stopWorkers: async () => {},
};

/** Runs the statements of pg-boss inside the transaction `tx`. Leaves out Drizzle's parsing to save time. */
const queueInTransaction = (tx: Db): QueueDb => ({
  executeSql: (text, values = []) =>
    tx._.session.prepareQuery({ sql: text, params: values }, undefined, undefined, false).execute() as ReturnType<
      QueueDb['executeSql']
    >,
});

/** Notifies all worker processes about new jobs. If a notification is lost, polling finds the job later. */
export interface JobSignal {
  ring(queue: string): Promise<unknown>;
  listen(onMessage: (queue: string) => void, onGap: () => void): Promise<unknown>;
}
/**
 * The delay from enqueueing a job to its notification. Most transactions commit within this time, and the notifications
 * of many jobs are combined.
 */
const signalDelayMs = 50;

export async function startJobs(boss: PgBoss, pollSeconds: number, bell: JobSignal): Promise<JobRunner> {
  await boss.start();
  const workers: { queue: string; id: string }[] = [];
  const wakeWorkers = (isMeant: (queue: string) => boolean) => {
    for (const { queue, id } of workers) if (isMeant(queue)) boss.notifyWorker(id);
  };
  let listeningPromise: Promise<unknown> | undefined;
  const stopController = new AbortController();
  const queuesToSignal = new Set<string>();
  // Notifies outside the job's transaction. PostgreSQL runs commits that send notifications one after another,
  // including their disk writes.
  function scheduleSignal(queue: string) {
    if (queuesToSignal.size === 0)
      setTimeout(() => {
        const queues = [...queuesToSignal];
        queuesToSignal.clear();
        for (const queueName of queues) bell.ring(queueName).catch(() => {}); // if this fails, polling finds the job
      }, signalDelayMs).unref();
    queuesToSignal.add(queue);
  }
  const knownQueues = new Map((await boss.getQueues()).map((it) => [it.name, it]));
  for (const [name, policy] of Object.entries(queuePolicies)) {
    const options = {
      retryLimit: policy.retries,
      retryDelay: policy.delaySeconds,
      retryBackoff: true,
      retryDelayMax: policy.longestDelaySeconds ?? 3600,
      heartbeatSeconds: policy.heartbeatSeconds,
      expireInSeconds: policy.expireSeconds,
      retentionSeconds: 14 * 86_400,
      deleteAfterSeconds: 7 * 86_400,
      notify: false, // `bell` notifies the workers instead
      ...(policy.lostTo && { deadLetter: policy.lostTo }),
    };
    const storedQueue = knownQueues.get(name);
    // pg-boss loaded the existing queues when it started, so this needs no query. Skip a queue whose options are the
    // same.
    if (storedQueue && Object.entries(options).every(([key, value]) => storedQueue[key as keyof QueueResult] === value))
      continue;
    if (storedQueue) await boss.updateQueue(name, options);
    else await boss.createQueue(name, { ...options, policy: 'short' });
    // Fills pg-boss's cache of queues now. Otherwise pg-boss would look up the queue on another connection while a
    // transaction is open.
    await boss.findJobs(name, { id: crypto.randomUUID() });
  }
  // pg-boss hides an error while it fills its cache at its start. Without a cache, this call fails.
  await boss.findJobs('send-mail', { id: crypto.randomUUID() });
  return {
    async enqueue(tx, name, data, { key, afterSeconds, promisedSince } = {}) {
      // A job without a key gets a random one, because the policy `short` keeps only one waiting job per key.
      await boss.send(name, data, {
        db: queueInTransaction(tx),
        singletonKey: key ?? crypto.randomUUID(),
        ...computePriority(promisedSince),
        ...createJobGroup(name, key),
        ...(afterSeconds !== undefined && { startAfter: afterSeconds }),
      });
      if (afterSeconds === undefined) scheduleSignal(name);
    },
    async enqueueAll(tx, name, data, { promisedSince } = {}) {
      const sameOptions = { ...computePriority(promisedSince), ...createJobGroup(name, undefined) };
      const jobsToInsert = data.map((one) => ({ data: one, singletonKey: crypto.randomUUID(), ...sameOptions }));
      await boss.insert(name, jobsToInsert, { db: queueInTransaction(tx) });
      scheduleSignal(name);
    },
    async findNewestJob(tx, name, data) {
      // The connection of the transaction returns dates as text.
      const getCreationTime = (it: { createdOn: Date | string }) => new Date(it.createdOn).getTime();
      const foundJobs = await boss.findJobs(name, { data, db: queueInTransaction(tx) });
      const [job] = foundJobs.toSorted((a, b) => getCreationTime(b) - getCreationTime(a));
      if (!job) return undefined;
      const output = job.output as { message?: string; value?: { message?: string } } | null;
      const knownStates: Partial<Record<typeof job.state, KnownJob['state']>> = {
        completed: 'done',
        cancelled: 'failed',
        failed: 'failed',
      };
      const state = knownStates[job.state] ?? (job.state === 'retry' || job.retryCount > 0 ? 'failing' : 'waiting');
      return { state, problem: output?.message ?? output?.value?.message, nextTryAt: new Date(job.startAfter) };
    },
    async readBacklog(tx, { longerThanSeconds, waitingExcept, failedExcept }) {
      const isJobNameIn = (names: readonly JobName[]) =>
        sql`name in (${sql.join(
          names.map((it) => sql`${it}`),
          sql`, `,
        )})`;
      const { rows: waiting } = await tx.execute<{ since: Date | string | null }>(sql`
        select min(start_after) as since from jobs.job where state < 'active' and start_after < now() - make_interval(secs => ${longerThanSeconds}) and not ${isJobNameIn(waitingExcept)}`);
      const { rows: failed } = await tx.execute<{ name: JobName; count: number }>(sql`
        select name, failed_count as count from jobs.queue where failed_count > 0 and not ${isJobNameIn(failedExcept)} order by name`);
      const oldestJobTime = waiting[0]?.since;
      return { waitingSince: oldestJobTime ? new Date(oldestJobTime) : undefined, failed };
    },
    async countWaiting(tx) {
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
    async isBusy(tx, name) {
      const { rows } = await tx.execute<{ busy: boolean }>(sql`
        select exists (
          select from jobs.job where name = ${name}
          and (state = 'active' or state < 'active' and not blocked and start_after <= now())
        ) as busy`);
      return rows[0]!.busy;
    },
    async startWorkers(name, handler, { concurrency = 1, together = 1 } = {}) {
      listeningPromise ??= bell.listen(
        (queue) => wakeWorkers((it) => it === queue),
        () => wakeWorkers(() => true),
      );
      await listeningPromise;
      const options = {
        includeMetadata: true,
        perJobResults: true,
        batchSize: together,
        pollingIntervalSeconds: pollSeconds,
        ...(queuePolicies[name].isAlone && { groupConcurrency: 1 }),
      } as const;
      const runJob = async (job: JobWithMetadata<unknown>) => {
        const signal = AbortSignal.any([job.signal, stopController.signal]);
        try {
          await handler(job.data as never, { signal, isLastTry: job.retryCount >= job.retryLimit });
        } catch (error) {
          if (!stopController.signal.aborted) throw error;
          // The job did not fail: the process is stopping. Enqueue it again with all its retries.
          const { priority } = job;
          await boss.send(name, job.data as object, {
            singletonKey: job.singletonKey ?? crypto.randomUUID(),
            priority,
            ...createJobGroup(name, job.singletonKey),
          });
          await bell.ring(name).catch(() => {});
        }
      };
      const waitForEnd = (job: JobWithMetadata<unknown>): Promise<JobResult> =>
        runJob(job).then(
          () => ({ id: job.id, status: 'completed' }),
          (error: unknown) => ({ id: job.id, status: 'failed', output: error }),
        );
      for (let at = 0; at < concurrency; at++) {
        const id = await boss.work(name, options, (jobs) => {
          // The batch was full, so more jobs may be waiting. Make the worker look again as soon as these jobs end.
          if (jobs.length === together) wakeWorkers((it) => it === name);
          return Promise.all(jobs.map(waitForEnd));
        });
        workers.push({ queue: name, id });
      }
    },
    async stopWorkers() {
      stopController.abort(new Error('this process is stopping'));
      await Promise.all([...new Set(workers.map((it) => it.queue))].map((queue) => boss.offWork(queue)));
    },
    async schedule(name, cron) {
      await boss.schedule(name, cron, {}, { singletonKey: name, ...createJobGroup(name, name) });
    },
  };
}
