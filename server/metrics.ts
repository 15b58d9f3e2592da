import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { lastBackup } from '#shop/backups/backups.ts';
import { unsentMails } from '#shop/mail/resend.ts';
import { countUnsettled } from '#shop/payments/payments.ts';
import type { Seeing } from '#shop/ports/seeing.ts';
import { StorageMissing, type Storage } from '#shop/ports/storage.ts';
import type { Shop } from './shop.ts';

/** What this process counts as it works; docs/metrics.md says what each name means. Names are kept. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers });
  return {
    registry,
    /** Set as they are asked for. */
    gauges: {
      isUp: gauge('database_up', '1 where the database answered this very question'),
      connections: gauge(
        'database_connections',
        'Connections for requests at work and at rest, and callers waiting for one',
        'state',
      ),
      commit: gauge('database_commit_wait_seconds', 'How long a commit has waited for a standby, the longest'),
      waiting: gauge('queue_jobs_waiting', 'Jobs that could be done now', 'job'),
      oldest: gauge('queue_oldest_seconds', 'How long the longest waiting job could have been done', 'job'),
      givenUp: gauge('queue_jobs_failed', 'Jobs given up in the last days, as counted some seconds ago', 'job'),
      mails: gauge('mails_waiting', 'Mails that have not left'),
      oldestMail: gauge('mails_oldest_seconds', 'How long the longest waiting mail has waited'),
      payments: gauge('payments_unsettled', 'Payments begun and not paid (open), or not as agreed', 'state'),
      backup: gauge('backup_taken_timestamp_seconds', 'The moment of the last backup; 0: there is none'),
    },
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    jobs: new Histogram({
      name: 'job_duration_seconds',
      help: 'Time of one try of a background job, by name and how it ended (done, failed)',
      labelNames: ['job', 'end'],
      buckets: [0.1, 1, 10, 60, 600],
      registers,
    }),
    renders: new Histogram({
      name: 'render_duration_seconds',
      help: 'From taking a photo to its finished video, by motion style',
      labelNames: ['style'],
      buckets: [1, 2, 5, 10, 20, 60, 300],
      registers,
    }),
    looks: new Histogram({
      name: 'seeing_duration_seconds',
      help: 'Looking at a photo before its video is made, its turn waited for, by how it ended (done, failed)',
      labelNames: ['end'],
      buckets: [0.5, 1, 2, 5, 10, 30, 120],
      registers,
    }),
    storageErrors: new Counter({
      name: 'storage_errors_total',
      help: 'What the store of files refused or did not answer',
      registers,
    }),
    databaseErrors: new Counter({
      name: 'database_errors_total',
      help: 'Connections, listeners and the queue: what broke on the way to the database',
      registers,
    }),
  };
}

/** Who looks at photos, with the time it takes. Looking that was broken off is not counted. */
export const timeLooks = (seeing: Seeing, looks: Metrics['looks']): Seeing => ({
  version: () => seeing.version(),
  describe: () => seeing.describe(),
  async look(path, signal) {
    const end = looks.startTimer();
    const seen = await seeing.look(path, signal);
    end({ end: seen ? 'done' : 'failed' });
    return seen;
  },
});

/** The store, with its errors counted. A file that is not there is an answer. */
export function countErrors(storage: Storage, errors: Counter): Storage {
  const count = (error: unknown): never => {
    if (!(error instanceof StorageMissing)) errors.inc();
    throw error;
  };
  const counted: Pick<Storage, 'list' | 'withLocalFile'> = {
    async *list(prefix) {
      try {
        yield* storage.list(prefix);
      } catch (error) {
        count(error);
      }
    },
    async withLocalFile(key, use) {
      let isThere = false; // from then on what fails is its user's
      const used = (path: string) => ((isThere = true), use(path));
      return storage.withLocalFile(key, used).catch((error: unknown) => {
        if (isThere) throw error;
        return count(error);
      });
    },
  };
  return new Proxy(storage, {
    get(target, name: keyof Storage) {
      if (name === 'list' || name === 'withLocalFile') return counted[name];
      const part = target[name] as unknown;
      if (typeof part !== 'function') return part;
      return (...args: unknown[]) => {
        const answer = part.apply(target, args) as unknown;
        return answer instanceof Promise ? answer.catch(count) : answer;
      };
    },
  });
}

/**
 * The numbers of this process and, asked of indices however large the shop, of the whole shop: those come from every
 * process alike. Where the database does not answer they are left out, and `database_up` is 0.
 */
export function metricsOf({ metrics: { registry, gauges }, database, db, jobs, clock }: Shop): () => Promise<string> {
  const { isUp, connections, commit, waiting, oldest, givenUp, mails, oldestMail, payments, backup } = gauges;
  /** Nothing is better than a number of a while ago. */
  const forget = () => {
    for (const it of [waiting, oldest, givenUp, payments]) it.reset();
    for (const it of [commit, mails, oldestMail, backup]) it.remove();
  };

  async function ask(): Promise<void> {
    const now = clock.now();
    const ago = (then: Date) => Math.max(0, (now.getTime() - then.getTime()) / 1000);
    const [queues, unsent, unsettled, last, longestCommit] = await Promise.all([
      jobs.waiting(db),
      unsentMails(db, now),
      countUnsettled(db),
      lastBackup(db),
      database.longestCommit?.(),
    ]);
    forget();
    for (const { name, count, since, failed } of queues) {
      waiting.set({ job: name }, count);
      oldest.set({ job: name }, since ? ago(since) : 0);
      givenUp.set({ job: name }, failed);
    }
    commit.set(longestCommit ?? 0);
    mails.set(unsent?.count ?? 0);
    oldestMail.set(unsent ? ago(unsent.since) : 0);
    for (const [state, count] of Object.entries(unsettled)) payments.set({ state }, count);
    backup.set(last ? last.takenAt.getTime() / 1000 : 0);
    isUp.set(1);
  }

  // Who asks meanwhile shares the answer.
  let asking: Promise<void> | undefined;
  return async () => {
    for (const [state, count] of Object.entries(database.connections?.() ?? {})) connections.set({ state }, count);
    asking ??= within(askMs, ask()).finally(() => (asking = undefined));
    await asking.catch(() => {
      forget();
      isUp.set(0);
    });
    return registry.metrics();
  };
}
/** Prometheus itself waits ten seconds. */
const askMs = 3_000;

/** Rejects where it takes longer. */
export const within = <T>(ms: number, asked: Promise<T>): Promise<T> =>
  Promise.race([
    asked,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('timed out')), ms).unref();
    }),
  ]);
