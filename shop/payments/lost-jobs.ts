import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { queueMail } from '../mail/mail.ts';

interface Scope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  link: (path: string) => string;
  ownerEmail: () => Promise<string>;
}

/**
 * Notifies the owner once after a job about money has failed for good. The owner must act, because the shop does not
 * retry the job.
 *
 * @param job as a noun: `what the bank says of payment pi_1`
 */
export async function notifyOfLostJob(
  { db, clock, jobs, link, ownerEmail }: Scope,
  { key, job }: { key: string; job: string },
  error: unknown,
): Promise<void> {
  const mailAddress = await ownerEmail();
  await db.transaction((tx) =>
    queueMail(
      tx,
      { jobs, clock },
      {
        event: `failed-job:${key}`,
        to: mailAddress,
        content: {
          kind: 'owner-failed-job',
          job,
          failedAt: clock.now().toISOString(),
          error: error instanceof Error ? error.message : String(error),
          consequence: 'The shop will not try again. Please check this payment at the payment provider.',
          adminUrl: link('/admin?tab=orders'),
        },
      },
    ),
  );
}
