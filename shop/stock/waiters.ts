import { asc, eq, inArray } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import { newId } from '../columns.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { queueMails } from '../mail/mail.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { readFramesLeft } from './stock.ts';
import { stockWaiters } from './stock.sql.ts';

interface Scope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  link: (path: string) => string;
}

/** How many waiters one transaction mails. */
const batchSize = 200;

/** Remembers a visitor who wants an email when frames are back. The response is the same for a known address. */
export async function waitForFrames(
  { db, clock }: Pick<Scope, 'db' | 'clock'>,
  { email, _honeypot }: { email: string; _honeypot?: string | undefined },
): Promise<void> {
  if (_honeypot) throw new Refusal('honeypot-filled');
  if (!isSoldOut(await readFramesLeft(db))) throw new Refusal('frames-back');
  await db.insert(stockWaiters).values({ email, askedAt: clock.now() }).onConflictDoNothing();
}

/**
 * The job that mails everyone who waits once frames are back, and deletes their addresses. It runs every few minutes:
 * frames may come back in several ways, and a failed payment of the last frame must not cause many emails.
 */
export async function mailWaiters(scope: Scope): Promise<void> {
  const { db, clock, jobs, link } = scope;
  let mailed = batchSize;
  while (mailed === batchSize)
    mailed = await db.transaction(async (tx) => {
      if (isSoldOut(await readFramesLeft(tx))) return 0;
      const waiters = await tx
        .select({ email: stockWaiters.email })
        .from(stockWaiters)
        .orderBy(asc(stockWaiters.askedAt))
        .limit(batchSize)
        .for('update', { skipLocked: true });
      if (waiters.length === 0) return 0;
      const emails = waiters.map((it) => it.email);
      await tx.delete(stockWaiters).where(inArray(stockWaiters.email, emails));
      await queueMails(
        tx,
        { jobs, clock },
        emails.map((to) => ({
          event: `frames-back:${newId()}`,
          to,
          content: { kind: 'frames-back', productUrl: link('/product/kinframe') },
        })),
      );
      return emails.length;
    });
}

const isSoldOut = (left: number | null) => left !== null && left <= 0;

/** When the owner of an email address signed up for the email about new stock; undefined if they did not. */
export async function findWaitingSince(db: Db, email: string): Promise<Date | undefined> {
  const [waiter] = await db.select().from(stockWaiters).where(eq(stockWaiters.email, email));
  return waiter?.askedAt;
}

export const countStockWaiters = (db: Db): Promise<number> => db.$count(stockWaiters);

/** Deletes an address from the list, because its account is deleted. */
export const deleteWaiter = (tx: Db, email: string) => tx.delete(stockWaiters).where(eq(stockWaiters.email, email));

export const deleteOldStockWaiters = deleteOldRows(stockWaiters, stockWaiters.email, stockWaiters.askedAt);
