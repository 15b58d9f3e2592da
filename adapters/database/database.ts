import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import type { JobData, JobName, Jobs } from '#shop/ports/jobs.ts';

/** Answers a job; throwing gives it back to the queue for another try. */
export type JobHandler<N extends JobName> = (data: JobData[N], attempt: JobAttempt) => Promise<void>;
export interface JobAttempt {
  /** Aborted when the job was taken away: it ran too long, or this process is stopping. */
  signal: AbortSignal;
  /** After this one fails there is no other. */
  isLastTry: boolean;
}
export interface JobRunner extends Jobs {
  /**
   * Start taking jobs of this name: `atOnce` takers in this process, each of which takes up to `together` at a time, and
   * no others until all of those have ended, well or not.
   */
  work<N extends JobName>(
    name: N,
    handler: JobHandler<N>,
    options?: { atOnce?: number; together?: number },
  ): Promise<void>;
  /** Let the cluster enqueue this job by the clock, once for all processes. */
  schedule(name: JobName, cron: string): Promise<void>;
  /** Take no more jobs. Those under way are told to stop and given back whole, or end. Enqueueing goes on. */
  rest(): Promise<void>;
}

/** One dialect, two engines: PostgreSQL by URL, or PostgreSQL in this very process (PGlite) in a directory. */
export interface Database {
  readonly engine: 'postgres' | 'embedded';
  readonly db: Db;
  readonly jobs: JobRunner;
  /**
   * Hear `NOTIFY channel`. `onGap` runs after messages may have been lost (a reconnect), so caches can be dropped.
   * Answers the way to stop hearing.
   */
  readonly listen: (
    channel: string,
    hear: (payload: string) => void,
    onGap?: () => void,
  ) => Promise<() => Promise<void>>;
  /** How many connections for requests are at work and at rest, and how many callers wait for one; where there are any. */
  readonly connections?: () => Record<'used' | 'idle' | 'waiting', number>;
  /** How many seconds the commit has waited that waits longest for a standby; where there can be one. */
  readonly longestCommit?: () => Promise<number>;
  /** Resolves when a query is answered now. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Told of a statement as it begins; what it answers is told of its end. */
export type HearStatement = (text: string) => ((error?: unknown) => void) | undefined;

export interface DatabaseOptions {
  /** postgres://…; absent: embedded in `dataDir`. */
  url?: string | undefined;
  /** Most connections for requests and jobs; the embedded database has one. */
  poolSize?: number;
  dataDir: string;
  migrationsFolder: string;
  /** false: no queue is started, enqueueing fails. For tools that only read. */
  withJobs?: boolean;
  onError?: (error: unknown) => void;
  /** Hears of every statement for requests and jobs. */
  hearStatement?: HearStatement | undefined;
  /** Jobs are looked for this often when no notification comes. */
  pollSeconds?: number;
  /** Take the database as it is: whoever copies it changes nothing. */
  isLeftAsItIs?: boolean;
  /** No statement is given up for taking long. For moving a whole shop. */
  isPatient?: boolean;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url) return (await import('./postgres.ts')).openPostgres({ ...options, url: options.url });
  return (await import('./pglite/embedded.ts')).openEmbedded(options);
}

/** How a search is best made depends on what is searched for: a plan for any pattern reads a million rows for some. */
export const isPlannedAnew = (statement: string) => statement.includes('search_pattern(');

export const systemClock: Clock = { now: () => new Date() };

/** How pg-boss runs on either engine: a killed worker's job is back in the queue within some twenty seconds. */
export const bossOptions = {
  schema: 'jobs',
  superviseIntervalSeconds: 5,
  monitorIntervalSeconds: 5,
  persistWarnings: false,
} as const;
/** When it is closed, what has not come to an end by now is given to another process. */
export const bossPatienceMs = 1_000;
