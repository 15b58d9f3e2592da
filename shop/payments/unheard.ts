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
 * The last try of a job about money was in vain, and nothing asks again by itself: the owner hears of it once.
 *
 * @param job as a noun: `what the bank says of payment pi_1`
 */
export async function tellOfUnheard(
  { db, clock, jobs, link, ownerEmail }: Scope,
  { key, job }: { key: string; job: string },
  error: unknown,
): Promise<void> {
  const to = await ownerEmail();
  await db.transaction((tx) =>
    queueMail(
      tx,
      { jobs, clock },
      {
        event: `failed-job:${key}`,
        to,
        content: {
          kind: 'owner-failed-job',
          job,
          failedAt: clock.now().toISOString(),
          error: error instanceof Error ? error.message : String(error),
          consequence: 'It is not tried again: please look at this payment in the provider’s own panel.',
          adminUrl: link('/admin?tab=orders'),
        },
      },
    ),
  );
}
