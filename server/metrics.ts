import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { readLastBackup } from '#shop/backups/backups.ts';
import { countUnsentMails } from '#shop/mail/resend.ts';
import { countUnsettled } from '#shop/payments/payments.ts';
import type { PhotoAnalyzerPort } from '#shop/ports/photo-analyzer.ts';
import { StorageMissing, type Storage } from '#shop/ports/storage.ts';
import type { Shop } from './shop.ts';

/** The metrics of this process; docs/metrics.md explains each name. Do not rename a metric. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const createGauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers });
  return {
    registry,
    /** Metrics whose values are read at each scrape. */
    gauges: {
      isUp: createGauge('database_up', '1 if the database answered during this scrape'),
      connections: createGauge(
        'database_connections',
        'Connections of the request pool (used, idle), and callers that wait for one (waiting)',
        'state',
      ),
      commit: createGauge('database_commit_wait_seconds', 'The longest time that a commit has waited for a standby'),
      waiting: createGauge('queue_jobs_waiting', 'Jobs that are ready to run', 'job'),
      oldest: createGauge('queue_oldest_seconds', 'How long the oldest ready job has been ready', 'job'),
      givenUp: createGauge(
        'queue_jobs_failed',
        'Jobs that failed finally in the last seven days, counted some seconds ago',
        'job',
      ),
      mails: createGauge('mails_waiting', 'Emails that are not sent yet'),
      oldestMail: createGauge('mails_oldest_seconds', 'How long the oldest unsent email has waited'),
      payments: createGauge(
        'payments_unsettled',
        'Payments started and not paid (open), or paid but not as agreed (mismatched)',
        'state',
      ),
      backup: createGauge('backup_taken_timestamp_seconds', 'The time of the last backup; 0 if there is none'),
    },
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer a request, by method, route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    jobs: new Histogram({
      name: 'job_duration_seconds',
      help: 'Duration of one try of a background job, by name and result (done, failed)',
      labelNames: ['job', 'end'],
      buckets: [0.1, 1, 10, 60, 600],
      registers,
    }),
    renders: new Histogram({
      name: 'render_duration_seconds',
      help: 'Time from starting a photo to its finished video, by motion style',
      labelNames: ['style'],
      buckets: [1, 2, 5, 10, 20, 60, 300],
      registers,
    }),
    looks: new Histogram({
      name: 'seeing_duration_seconds',
      help: 'Time to analyze a photo before its video is made, with the wait in the queue, by result (done, failed)',
      labelNames: ['end'],
      buckets: [0.5, 1, 2, 5, 10, 30, 120],
      registers,
    }),
    cspViolations: new Counter({
      name: 'csp_violations_total',
      help: 'Violations of the Content-Security-Policy of a page that browsers reported, by directive',
      labelNames: ['directive'],
      registers,
    }),
    storageErrors: new Counter({
      name: 'storage_errors_total',
      help: 'Requests that the file store refused or did not answer',
      registers,
    }),
    databaseErrors: new Counter({
      name: 'database_errors_total',
      help: 'Errors of database connections, listeners and the queue',
      registers,
    }),
  };
}

/** Measures how long the analysis of each photo takes. An aborted analysis is not counted. */
export const measureAnalyses = (seeing: PhotoAnalyzerPort, looks: Metrics['looks']): PhotoAnalyzerPort => ({
  version: () => seeing.version(),
  describe: () => seeing.describe(),
  async analyzePhoto(path, signal) {
    const stopTimer = looks.startTimer();
    const analysis = await seeing.analyzePhoto(path, signal);
    stopTimer({ end: analysis ? 'done' : 'failed' });
    return analysis;
  },
});

/** Wraps a store and counts its errors. A missing file is not an error. */
export function countErrors(storage: Storage, errors: Counter): Storage {
  const countError = (error: unknown): never => {
    if (!(error instanceof StorageMissing)) errors.inc();
    throw error;
  };
  const countedStorage: Pick<Storage, 'list' | 'withLocalFile'> = {
    async *list(prefix) {
      try {
        yield* storage.list(prefix);
      } catch (error) {
        countError(error);
      }
    },
    async withLocalFile(key, use) {
      let isFilePresent = false; // if true, the caller's `use` has failed, not the store
      const recordUse = (path: string) => ((isFilePresent = true), use(path));
      return storage.withLocalFile(key, recordUse).catch((error: unknown) => {
        if (isFilePresent) throw error;
        return countError(error);
      });
    },
  };
  return new Proxy(storage, {
    get(target, name: keyof Storage) {
      if (name === 'list' || name === 'withLocalFile') return countedStorage[name];
      const member = target[name] as unknown;
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const returnValue = member.apply(target, args) as unknown;
        return returnValue instanceof Promise ? returnValue.catch(countError) : returnValue;
      };
    },
  });
}

/**
 * Returns a function that reads the metrics of this process and of the whole shop. Every process reports the same
 * metrics of the shop. They are read from indexes, so they are fast also in a large shop. If the database does not
 * respond, they are left out and `database_up` is 0.
 */
export function createMetricsReader({
  metrics: { registry, gauges },
  database,
  db,
  jobs,
  clock,
}: Shop): () => Promise<string> {
  const { isUp, connections, commit, waiting, oldest, givenUp, mails, oldestMail, payments, backup } = gauges;
  /** Removes the values of the last scrape: no value is better than an outdated one. */
  const resetGauges = () => {
    for (const labeledGauge of [waiting, oldest, givenUp, payments]) labeledGauge.reset();
    for (const plainGauge of [commit, mails, oldestMail, backup]) plainGauge.remove();
  };

  async function collect(): Promise<void> {
    const now = clock.now();
    const secondsSince = (then: Date) => Math.max(0, (now.getTime() - then.getTime()) / 1000);
    const [queues, unsent, unsettled, last, longestCommit] = await Promise.all([
      jobs.countWaiting(db),
      countUnsentMails(db, now),
      countUnsettled(db),
      readLastBackup(db),
      database.readLongestCommit?.(),
    ]);
    resetGauges();
    for (const { name, count, since, failed } of queues) {
      waiting.set({ job: name }, count);
      oldest.set({ job: name }, since ? secondsSince(since) : 0);
      givenUp.set({ job: name }, failed);
    }
    commit.set(longestCommit ?? 0);
    mails.set(unsent?.count ?? 0);
    oldestMail.set(unsent ? secondsSince(unsent.since) : 0);
    for (const [state, count] of Object.entries(unsettled)) payments.set({ state }, count);
    backup.set(last ? last.takenAt.getTime() / 1000 : 0);
    isUp.set(1);
  }

  // Scrapes that arrive during a query share its result.
  let collectPromise: Promise<void> | undefined;
  return async () => {
    for (const [state, count] of Object.entries(database.connections?.() ?? {})) connections.set({ state }, count);
    collectPromise ??= withTimeout(scrapeTimeoutMs, collect()).finally(() => (collectPromise = undefined));
    await collectPromise.catch(() => {
      resetGauges();
      isUp.set(0);
    });
    return registry.metrics();
  };
}
/** Shorter than Prometheus' own timeout of ten seconds. */
const scrapeTimeoutMs = 3_000;

/** Rejects if the promise takes longer than `ms`. */
export const withTimeout = <T>(ms: number, promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('timed out')), ms).unref();
    }),
  ]);
