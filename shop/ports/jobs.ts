import type { Db } from './database.ts';

/** Every background job by queue name, with its data. A job may run twice and must not matter. */
export interface JobData {
  'send-mail': { mailId: string };
  'mail-password-reset': { email: string };
  'mail-sign-in-link': { email: string };
  'render-video': { videoId: string; take: number };
  /** A render that was killed or ran out of time on its last try. */
  'give-up-video': { videoId: string; take: number };
  /** A payment that another has replaced. */
  'cancel-payment': { paymentId: string };
  'refund-payment': { paymentId: string };
  /** Ask the provider for a refund the owner has decided on. */
  'ask-refund': { refundId: string };
  'follow-refunds': { intentId: string };
  'follow-disputes': { intentId: string };
  'follow-fraud-warnings': { intentId: string };
  'settle-payment': { intentId: string };
  'settle-open-payments': Record<string, never>;
  /** Ask what the payment provider kept of paid orders. */
  'read-fees': Record<string, never>;
  'remind-photos': Record<string, never>;
  /** Buyers who have had their order for two weeks. */
  'ask-for-reviews': Record<string, never>;
  'sweep-arrivals': Record<string, never>;
  /** Customers who have had their time to look. */
  'end-proofs': Record<string, never>;
  'sweep-files': Record<string, never>;
  /** Delete the files of what was erased, then tell whoever asked. */
  'finish-erasure': { erasureId: string };
  /** Warn of what is about to be erased, and erase what is due. */
  'erase-photos': Record<string, never>;
  'fold-tallies': Record<string, never>;
  /** The owner's day sheet, where she wants it by mail. */
  'mail-day-sheet': Record<string, never>;
  /** The whole shop into one file, where the settings name a place for it. */
  'back-up': Record<string, never>;
  /** Whatever has been kept long enough goes. */
  'forget-old': Record<string, never>;
}
export type JobName = keyof JobData;

export interface KnownJob {
  /** failing: tried in vain, and tried again; failed: given up. */
  state: 'waiting' | 'failing' | 'done' | 'failed';
  /** What the last try failed of. */
  problem: string | undefined;
  nextTryAt: Date;
}

export interface Jobs {
  /**
   * Enqueue in the caller's transaction: the job exists exactly when the commit does. `key` makes a second one a no-op
   * while the first waits; of jobs with a `promisedSince`, who has waited longest is served first.
   */
  enqueue<N extends JobName>(
    tx: Db,
    name: N,
    data: JobData[N],
    options?: { key?: string; afterSeconds?: number; promisedSince?: Date },
  ): Promise<void>;
  /** Several jobs of one name in one step. */
  enqueueAll<N extends JobName>(tx: Db, name: N, data: JobData[N][], options?: { promisedSince?: Date }): Promise<void>;
  /** How the job with this data stands; undefined when the queue does not know it, or no more. */
  find<N extends JobName>(tx: Db, name: N, data: JobData[N]): Promise<KnownJob | undefined>;
  /**
   * How the queue stands: since when the longest waiting job could have been done, where that is longer ago than said,
   * and how many were given up in the last days, by name, as counted some seconds ago.
   */
  standing(
    tx: Db,
    options: { longerThanSeconds: number; waitingExcept: readonly JobName[]; failedExcept: readonly JobName[] },
  ): Promise<QueueStanding>;
  /** Every queue: its jobs that could be done now, since when the first of them could, and how many were given up. */
  waiting(tx: Db): Promise<WaitingJobs[]>;
}

export interface WaitingJobs {
  name: string;
  count: number;
  since: Date | undefined;
  failed: number;
}

export interface QueueStanding {
  waitingSince: Date | undefined;
  failed: { name: string; count: number }[];
}
