import type { Db } from './database.ts';

/** Every background job by queue name, with its data. A job may run twice, so its handler must be idempotent. */
export interface JobData {
  'send-mail': { mailId: string };
  /** Read the unread emails of customers, if the settings name a mailbox. */
  'read-mailbox': Record<string, never>;
  /** Report a sale to the open panels, and enqueue a notification for each of the owner's devices. */
  'announce-sale': { orderId: string };
  /** Send the notification of a sale to one of the owner's devices. */
  'push-sale': { deviceId: string; orderId: string };
  'mail-password-reset': { email: string };
  'mail-sign-in-link': { email: string };
  'render-video': { videoId: string; take: number };
  /** Make one preview, for the next photo of the order that needs one. */
  'make-preview': { orderId: string };
  /** Make the video of the trial that is first in line. */
  'make-trial': Record<string, never>;
  /** Erase trials whose time is over. */
  'erase-trials': Record<string, never>;
  /** Mark a video as failed, after its render was killed or timed out on the last attempt. */
  'give-up-video': { videoId: string; take: number };
  /** Cancel a payment after another payment has replaced it. */
  'cancel-payment': { paymentId: string };
  /** Mail a buyer whose authorization was released some minutes ago, if the buyer has not paid since. */
  'mail-released-payment': { paymentId: string };
  /** Mails the visitors who asked for an email when frames are back in stock. */
  'mail-frames-back': Record<string, never>;
  'refund-payment': { paymentId: string };
  /** Request from the provider a refund that the owner has decided on. */
  'ask-refund': { refundId: string };
  'follow-refunds': { intentId: string };
  'follow-disputes': { intentId: string };
  'follow-fraud-warnings': { intentId: string };
  'settle-payment': { intentId: string };
  'settle-open-payments': Record<string, never>;
  /** Read from the payment provider which fees it charged for paid orders. */
  'read-fees': Record<string, never>;
  /** Ask the label service about labels whose purchase or refund is not known yet. */
  'follow-labels': Record<string, never>;
  'remind-photos': Record<string, never>;
  /** Ask buyers for a review two weeks after their order was delivered. */
  'ask-for-reviews': Record<string, never>;
  /** Email gift cards on their day. */
  'send-gift-cards': Record<string, never>;
  /** Remind buyers of carts that they left at the payment. */
  'remind-carts': Record<string, never>;
  'sweep-arrivals': Record<string, never>;
  /** Deliver frames whose customers did not approve the videos in time. */
  'end-proofs': Record<string, never>;
  'sweep-files': Record<string, never>;
  /** Delete the files of erased photos and videos, then notify the person who requested it. */
  'finish-erasure': { erasureId: string };
  /** Send warnings before photos are erased, and erase photos that are due. */
  'erase-photos': Record<string, never>;
  'fold-tallies': Record<string, never>;
  /** Email the day sheet to the owner once a day, if the owner has switched it on. */
  'mail-day-sheet': Record<string, never>;
  /** Write a backup of the whole shop into one file, if the settings contain a place for it. */
  'back-up': Record<string, never>;
  /** Delete everything whose retention time is over. */
  'forget-old': Record<string, never>;
}
export type JobName = keyof JobData;

export interface KnownJob {
  /** failing: an attempt has failed and another one follows. failed: all attempts have failed. */
  state: 'waiting' | 'failing' | 'done' | 'failed';
  /** The error of the last attempt. */
  problem: string | undefined;
  nextTryAt: Date;
}

export interface Jobs {
  /**
   * Enqueues a job in the caller's transaction: the job exists if and only if the transaction commits. A second job
   * with the same `key` is ignored while the first one waits. Among jobs with `promisedSince`, the job with the
   * earliest time runs first.
   */
  enqueue<N extends JobName>(
    tx: Db,
    name: N,
    data: JobData[N],
    options?: { key?: string; afterSeconds?: number; promisedSince?: Date },
  ): Promise<void>;
  /** Enqueues several jobs of one name with one statement. */
  enqueueAll<N extends JobName>(tx: Db, name: N, data: JobData[N][], options?: { promisedSince?: Date }): Promise<void>;
  /** Whether a job of this name is running or could run now. */
  isBusy(tx: Db, name: JobName): Promise<boolean>;
  /** The state of the job with this data; undefined if the queue does not contain it (anymore). */
  findNewestJob<N extends JobName>(tx: Db, name: N, data: JobData[N]): Promise<KnownJob | undefined>;
  /**
   * The state of all queues. `waitingSince` is the time since which the oldest waiting job could have run, if that is
   * longer ago than `longerThanSeconds`. `failed` is the number of jobs that failed for good in the last days, by name.
   * The counts may be some seconds old.
   */
  readBacklog(
    tx: Db,
    options: { longerThanSeconds: number; waitingExcept: readonly JobName[]; failedExcept: readonly JobName[] },
  ): Promise<QueuePosition>;
  /**
   * For every queue: the number of jobs that could run now, the time since which the oldest of them could run, and the
   * number of failed jobs.
   */
  countWaiting(tx: Db): Promise<WaitingJobs[]>;
}

export interface WaitingJobs {
  name: string;
  count: number;
  since: Date | undefined;
  failed: number;
}

export interface QueuePosition {
  waitingSince: Date | undefined;
  failed: { name: string; count: number }[];
}
