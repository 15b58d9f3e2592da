import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import type { JobData, JobName, Jobs } from '#shop/ports/jobs.ts';

/** Handles a job. If it throws, the queue retries the job. */
export type JobHandler<N extends JobName> = (data: JobData[N], attempt: JobAttempt) => Promise<void>;
export interface JobAttempt {
  /** Aborted when the job runs too long or this process stops. The queue then takes the job back. */
  signal: AbortSignal;
  /** True for the last attempt: if it fails, the queue does not retry the job. */
  isLastTry: boolean;
}
export interface JobRunner extends Jobs {
  /**
   * Starts `concurrency` workers for this queue in this process. Each worker takes up to `together` jobs at a time. It
   * takes the next jobs after all of these have completed or failed.
   */
  startWorkers<N extends JobName>(
    name: N,
    handler: JobHandler<N>,
    options?: { concurrency?: number; together?: number },
  ): Promise<void>;
  /** Enqueues this job on a cron schedule, once for all processes. */
  schedule(name: JobName, cron: string): Promise<void>;
  /**
   * Stops taking jobs and aborts the running jobs. An aborted job either completes or goes back to the queue with all
   * its retries. Enqueueing still works.
   */
  stopWorkers(): Promise<void>;
}

/**
 * The shop's database. It has two engines with the same SQL: a PostgreSQL server, found by URL, or PGlite (PostgreSQL
 * inside this process), which stores its files in a directory.
 */
export interface Database {
  readonly engine: 'postgres' | 'embedded';
  readonly db: Db;
  readonly jobs: JobRunner;
  /**
   * Listens for `NOTIFY channel`. `onGap` runs after messages may have been lost (a reconnect), so that caches can be
   * dropped. Returns a function that stops listening.
   */
  readonly listen: (
    channel: string,
    onMessage: (payload: string) => void,
    onGap?: () => void,
  ) => Promise<() => Promise<void>>;
  /**
   * Numbers of used and idle connections for requests, and of callers that wait for one. Absent if the engine has no
   * connection pool.
   */
  readonly connections?: () => Record<'used' | 'idle' | 'waiting', number>;
  /**
   * How many seconds the oldest waiting commit has waited for a standby server. Absent if the engine supports no
   * standby.
   */
  readonly readLongestCommit?: () => Promise<number>;
  /** Resolves if the database answers a query now. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Called when a statement starts, with its parameters. The function it returns is called when the statement ends. */
export type ObserveStatement = (text: string, params: unknown[]) => ((error?: unknown) => void) | undefined;

export interface DatabaseOptions {
  /** The URL of a PostgreSQL server, postgres://…. If absent, the embedded database in `dataDir` is opened. */
  url?: string | undefined;
  /** Maximum number of connections for requests and jobs. The embedded database always has one connection. */
  poolSize?: number;
  dataDir: string;
  migrationsFolder: string;
  /** If false, no job queue starts, and enqueueing fails. For tools that only read. */
  withJobs?: boolean;
  onError?: (error: unknown) => void;
  /** Called for every statement of requests and jobs. */
  observeStatement?: ObserveStatement | undefined;
  /** Seconds between polls for jobs when no notification arrives. */
  pollSeconds?: number;
  /** If true, the database is not migrated, because a tool that copies a database must not change it. */
  skipsMigrations?: boolean;
  /** If true, the client waits for a query without a time limit. For moving a whole shop. */
  isPatient?: boolean;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url) return (await import('./postgres.ts')).openPostgres({ ...options, url: options.url });
  return (await import('./pglite/embedded.ts')).openEmbeddedDatabase(options);
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * pg-boss options for both engines. With these intervals, the job of a killed worker is back in the queue within about
 * 20 seconds.
 */
export const bossOptions = {
  schema: 'jobs',
  superviseIntervalSeconds: 5,
  monitorIntervalSeconds: 5,
  persistWarnings: false,
} as const;
/**
 * How long closing the database waits for running jobs. Another process takes over the jobs that do not end in time.
 */
export const jobsCloseTimeoutMs = 1_000;
