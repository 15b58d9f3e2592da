import { and, count, desc, eq, isNotNull, isNull, lt, min, sql } from 'drizzle-orm';
import { isToOwner, emailNames } from '#contract/email-names.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { findEarliestLinkExpiry } from './links.ts';
import { queueMail } from './mail.ts';
import { mails } from './mail.sql.ts';

export type Mail = typeof mails.$inferSelect;
export type MailState = 'sent' | 'waiting' | 'failing' | 'failed';
export interface FollowedMail {
  mail: Mail;
  state: MailState;
  /** The last error of the mail server, while the mail is not sent. */
  problem?: string | undefined;
  nextTryAt?: Date | undefined;
}
interface MailsScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}

/** The mails about an order, newest first. */
export async function readMailsOfOrder({ db, jobs }: Pick<MailsScope, 'db' | 'jobs'>, orderId: string) {
  const rows = await db
    .select()
    .from(mails)
    .where(eq(mails.orderId, orderId))
    .orderBy(desc(mails.queuedAt), desc(mails.id));
  return Promise.all(rows.map((mail) => followMail(db, jobs, mail)));
}

/**
 * Returns the number of unsent mails that were queued before the given time, the time of the oldest one, and the order
 * of the oldest one that is about an order. Returns undefined if there are no such mails.
 */
export async function countUnsentMails(db: Db, before: Date) {
  const [found] = await db
    .select({
      count: count(),
      since: min(mails.queuedAt),
      orderId: sql<
        string | null
      >`(array_agg(${mails.orderId} order by ${mails.queuedAt}) filter (where ${mails.orderId} is not null))[1]`,
    })
    .from(mails)
    .where(and(isNull(mails.sentAt), isNotNull(mails.content), lt(mails.queuedAt, before)));
  return found?.since ? { ...found, since: found.since } : undefined;
}

/** The state of a mail. An unsent mail whose job is no longer in the queue failed long ago. */
async function followMail(tx: Db, jobs: Jobs, mail: Mail): Promise<FollowedMail> {
  if (mail.sentAt) return { mail, state: 'sent' };
  const job = await jobs.findNewestJob(tx, 'send-mail', { mailId: mail.id });
  if (!job || job.state === 'failed') return { mail, state: 'failed', problem: job?.problem };
  if (job.state === 'failing') return { mail, state: 'failing', problem: job.problem, nextTryAt: job.nextTryAt };
  return { mail, state: 'waiting' };
}

/** Whether a mail can be sent again: it is about an order, its content is stored and its links have not expired. */
export function isResendable({ orderId, content }: Mail, now: Date): boolean {
  if (orderId === null || content === null) return false;
  const linkExpiry = findEarliestLinkExpiry(content);
  return linkExpiry === undefined || linkExpiry > now;
}

/** A second click within this time, in milliseconds, does not send the mail again. */
const doubleClickMs = 30_000;

/**
 * Sends an order's mail again as a new mail with new links. If the mail waits, is being retried or was just sent again,
 * no new mail is sent: `isNew` is then false, and the result is the existing mail. A mail to a customer goes to their
 * current address, because the old address may belong to someone else.
 *
 * @param customersAddress returns the address of an order's customer. It locks the order, so that the customer's data
 * is not deleted in the meantime.
 */
export async function resendMail(
  tx: Db,
  { clock, jobs }: Omit<MailsScope, 'db'>,
  mailId: string,
  customersAddress: (orderId: string) => Promise<string>,
): Promise<FollowedMail & { isNew: boolean }> {
  const requestedMailQuery = tx.select().from(mails).where(eq(mails.id, mailId));
  const [found] = await requestedMailQuery;
  if (!found) throw new Refusal('not-found');
  const { orderId } = found;
  if (orderId === null) throw new Refusal('mail-not-resendable');
  // Lock the order before its mails, in the same sequence as the code that deletes the mails' content, to avoid
  // deadlocks.
  const address = await customersAddress(orderId);
  const event = found.event.replace(/:again:\d+$/, '');
  // Each resend locks the first mail of the event, so that simultaneous clicks run one after another.
  await tx.select({ id: mails.id }).from(mails).where(eq(mails.event, event)).for('update');
  const requestedMail = (await requestedMailQuery)[0]!;
  const copies = await tx
    .select()
    .from(mails)
    .where(and(eq(mails.orderId, orderId), sql`starts_with(${mails.event}, ${`${event}:again:`})`))
    .orderBy(desc(mails.queuedAt), desc(mails.id));
  const latestCopy = await followMail(tx, jobs, copies[0] ?? requestedMail);
  const isOnItsWay = latestCopy.state === 'waiting' || latestCopy.state === 'failing';
  const wasJustSent = copies.length > 0 && clock.now().getTime() - latestCopy.mail.queuedAt.getTime() < doubleClickMs;
  if (isOnItsWay || (wasJustSent && latestCopy.state === 'sent')) return { ...latestCopy, isNew: false };
  const { content } = requestedMail;
  if (!isResendable(requestedMail, clock.now()) || content === null) throw new Refusal('mail-not-resendable');
  const recipient = isToOwner(content.kind) ? requestedMail.to : address;
  if (recipient === '') throw new Refusal('mail-not-resendable');

  const resendEvent = `${event}:again:${copies.length + 1}`;
  await queueMail(tx, { jobs, clock }, { event: resendEvent, to: recipient, orderId, content });
  const [mail] = await tx.select().from(mails).where(eq(mails.event, resendEvent));
  return { mail: mail!, state: 'waiting', isNew: true };
}

/**
 * An erasure warning that fails is queued again as a new mail until one is sent. The owner is notified of the failure
 * only once per frame.
 */
const toFailureKey = ({ id, event }: Mail) => event.match(/^photos-erased-soon:[^:]+/)?.[0] ?? id;

/**
 * The job that runs after the last attempt to send a mail has failed. Notifies the owner, who can send the mail again
 * from its order.
 */
export async function notifyOfFailedMail(
  {
    db,
    clock,
    jobs,
    link,
    ownerEmail,
  }: MailsScope & { link: (path: string) => string; ownerEmail: () => Promise<string> },
  mailId: string,
  error: unknown,
): Promise<void> {
  const [mail] = await db.select().from(mails).where(eq(mails.id, mailId));
  if (!mail?.content || mail.sentAt || isToOwner(mail.content.kind)) return;
  const { orderId } = mail;
  const mailAddress = await ownerEmail();
  await db.transaction((tx) =>
    queueMail(
      tx,
      { jobs, clock },
      {
        event: `failed-mail:${toFailureKey(mail)}`,
        to: mailAddress,
        ...(orderId !== null && { orderId }),
        content: {
          kind: 'owner-failed-job',
          job: `the email “${emailNames[mail.content!.kind]}” to a customer`,
          failedAt: clock.now().toISOString(),
          error: error instanceof Error ? error.message : String(error),
          ...(orderId !== null && { consequence: 'You can send it again from the order once the problem is fixed.' }),
          adminUrl: link(orderId === null ? '/admin' : `/admin?tab=orders&order=${orderId}`),
        },
      },
    ),
  );
}
