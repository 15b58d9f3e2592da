import { and, count, desc, eq, isNotNull, isNull, lt, min, sql } from 'drizzle-orm';
import { isToOwner, letterNames } from '#contract/letter-names.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { endOf } from './links.ts';
import { queueMail } from './mail.ts';
import { mails } from './mail.sql.ts';

export type Mail = typeof mails.$inferSelect;
export type MailState = 'sent' | 'waiting' | 'failing' | 'failed';
export interface FollowedMail {
  mail: Mail;
  state: MailState;
  /** What the mail server said last, while it is not sent. */
  problem?: string | undefined;
  nextTryAt?: Date | undefined;
}
interface MailsScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}

/** The mails that tell of an order, newest first. */
export async function mailsOfOrder({ db, jobs }: Pick<MailsScope, 'db' | 'jobs'>, orderId: string) {
  const rows = await db
    .select()
    .from(mails)
    .where(eq(mails.orderId, orderId))
    .orderBy(desc(mails.queuedAt), desc(mails.id));
  return Promise.all(rows.map((mail) => follow(db, jobs, mail)));
}

/** Mails written before then and not sent: how many, the oldest, and the oldest order one of them tells of. */
export async function unsentMails(db: Db, before: Date) {
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

/** How a mail stands: one that is neither sent nor known to the queue any more was given up long ago. */
async function follow(tx: Db, jobs: Jobs, mail: Mail): Promise<FollowedMail> {
  if (mail.sentAt) return { mail, state: 'sent' };
  const job = await jobs.find(tx, 'send-mail', { mailId: mail.id });
  if (!job || job.state === 'failed') return { mail, state: 'failed', problem: job?.problem };
  if (job.state === 'failing') return { mail, state: 'failing', problem: job.problem, nextTryAt: job.nextTryAt };
  return { mail, state: 'waiting' };
}

/** Whether its letter can be sent again: its content is kept and its links can still be made. */
export function isResendable({ orderId, content }: Mail, now: Date): boolean {
  if (orderId === null || content === null) return false;
  const end = endOf(content);
  return end === undefined || end > now;
}

/** A second click so soon means the same. */
const sameClickMs = 30_000;

/**
 * Send an order's mail again as a mail of its own, its links made anew. One that waits, is being tried, or was sent again
 * a moment ago is not sent twice: then `isNew` is false and the mail is that one. What a customer was sent goes to the
 * address that they have now: their old one may be somebody else's.
 *
 * @param customersAddress holds the order: nobody forgets whose it is meanwhile
 */
export async function resendMail(
  tx: Db,
  { clock, jobs }: Omit<MailsScope, 'db'>,
  mailId: string,
  customersAddress: (orderId: string) => Promise<string>,
): Promise<FollowedMail & { isNew: boolean }> {
  const named = tx.select().from(mails).where(eq(mails.id, mailId));
  const [found] = await named;
  if (!found) throw new Refusal('not-found');
  const { orderId } = found;
  if (orderId === null) throw new Refusal('mail-not-resendable');
  // Its order before its mails, as they are forgotten.
  const address = await customersAddress(orderId);
  const event = found.event.replace(/:again:\d+$/, '');
  // Whoever sends this letter again holds its first mail, so that clicks at once come one after the other.
  await tx.select({ id: mails.id }).from(mails).where(eq(mails.event, event)).for('update');
  const asked = (await named)[0]!;
  const copies = await tx
    .select()
    .from(mails)
    .where(and(eq(mails.orderId, orderId), sql`starts_with(${mails.event}, ${`${event}:again:`})`))
    .orderBy(desc(mails.queuedAt), desc(mails.id));
  const latest = await follow(tx, jobs, copies[0] ?? asked);
  const isOnItsWay = latest.state === 'waiting' || latest.state === 'failing';
  const wasJustSent = copies.length > 0 && clock.now().getTime() - latest.mail.queuedAt.getTime() < sameClickMs;
  if (isOnItsWay || (wasJustSent && latest.state === 'sent')) return { ...latest, isNew: false };
  const { content } = asked;
  if (!isResendable(asked, clock.now()) || content === null) throw new Refusal('mail-not-resendable');
  const to = isToOwner(content.kind) ? asked.to : address;
  if (to === '') throw new Refusal('mail-not-resendable');

  const again = `${event}:again:${copies.length + 1}`;
  await queueMail(tx, { jobs, clock }, { event: again, to, orderId, content });
  const [mail] = await tx.select().from(mails).where(eq(mails.event, again));
  return { mail: mail!, state: 'waiting', isNew: true };
}

/** Warnings are given anew until one leaves: the owner hears once a frame that they do not. */
const failureOf = ({ id, event }: Mail) => event.match(/^photos-erased-soon:[^:]+/)?.[0] ?? id;

/** The last try was in vain: the owner hears of it, and finds the mail with its order. */
export async function tellOfFailedMail(
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
  const to = await ownerEmail();
  await db.transaction((tx) =>
    queueMail(
      tx,
      { jobs, clock },
      {
        event: `failed-mail:${failureOf(mail)}`,
        to,
        ...(orderId !== null && { orderId }),
        content: {
          kind: 'owner-failed-job',
          job: `the mail “${letterNames[mail.content!.kind]}” to a customer`,
          failedAt: clock.now().toISOString(),
          error: error instanceof Error ? error.message : String(error),
          ...(orderId !== null && { consequence: 'You can send it again from the order, once the cause is mended.' }),
          adminUrl: link(orderId === null ? '/admin' : `/admin?tab=orders&order=${orderId}`),
        },
      },
    ),
  );
}
