import { and, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { LetterContent, LetterShop } from '#contract/letters.ts';
import { lifetimes } from '#contract/limits.ts';
import type { Clock, Db, Jobs, Letter, Mailer } from '../ports.ts';
import { newId } from '../columns.ts';
import { preparedRows } from '../prepared.ts';
import { writeLinks } from './links.ts';
import { mails, type LetterWords } from './mail.sql.ts';

export interface NewMail {
  /** What happened, once: `receipt:{orderId}`. */
  event: string;
  /** Nobody where it is empty: then nothing is written. */
  to: string;
  /** The order it tells of. */
  orderId?: string;
  content: LetterWords;
}
interface QueueScope {
  jobs: Jobs;
  clock: Clock;
}

/**
 * Write a mail in the transaction of its event. The event's name makes it once: whoever tells of it again, nothing is
 * sent a second time.
 */
export const queueMail = (tx: Db, scope: QueueScope, mail: NewMail): Promise<void> => queueMails(tx, scope, [mail]);

/** Several mails in one step. */
export async function queueMails(tx: Db, { jobs, clock }: QueueScope, newMails: NewMail[]): Promise<void> {
  const rows = newMails
    .filter((mail) => mail.to !== '')
    .map((mail) => ({ id: newId(), orderId: null, ...mail, queuedAt: clock.now(), sentAt: null }));
  if (rows.length === 0) return;
  const queued = await insertMails(tx, rows);
  if (queued.length > 0) await jobs.enqueueAll(tx, 'send-mail', queued);
}

const insertMails = preparedRows(mails, (db, rows) =>
  db.insert(mails).values(rows).onConflictDoNothing({ target: mails.event }).returning({ mailId: mails.id }),
);

/** Turns a letter's content into its subject and bodies. */
export type RenderLetter = (content: LetterContent) => Promise<{ subject: string; html: string; text: string }>;

export interface MailScope {
  db: Db;
  clock: Clock;
  mailer: Mailer;
  render: RenderLetter;
  /** Sender, `Kinframe <hello@…>`. */
  from: string;
  /** Who writes, as the owner's site settings have it when the mail goes out. */
  shop: () => Promise<LetterShop>;
  /** Builds an absolute address from a path. */
  link: (path: string) => string;
}

/**
 * The job behind `queueMail`. The letter carries the mail's id, so a second try after a crash is the same mail again; the
 * tokens of its links are new ones, and those of the first try simply end unused.
 */
export async function sendMail(scope: MailScope, mailId: string): Promise<void> {
  const { db, clock, mailer, render, from, shop } = scope;
  const [mail] = await db
    .select()
    .from(mails)
    .where(and(eq(mails.id, mailId), isNull(mails.sentAt)));
  if (!mail?.content) return;
  const words = await writeLinks(scope, mail.content);
  const letter: Letter = {
    id: mail.id,
    to: mail.to,
    from,
    date: mail.queuedAt,
    // Every link of the words is an address by now.
    ...(await render({ ...words, shop: await shop() } as LetterContent)),
  };
  await mailer.send(letter);
  await db.update(mails).set({ sentAt: clock.now() }).where(eq(mails.id, mailId));
}

/** Mails of the last hour whose event begins so: what strangers can ask for has its measure. */
export const countLastHour = (tx: Db, clock: Clock, eventBegins: string): Promise<number> =>
  tx.$count(
    mails,
    and(
      gt(mails.queuedAt, new Date(clock.now().getTime() - 3_600_000)),
      sql`starts_with(${mails.event}, ${eventBegins})`,
    ),
  );

/** What an old mail said is forgotten; that it was sent, when and to whom, is kept with its order. */
export async function sweepMails(db: Db, clock: Clock): Promise<void> {
  const oldest = clock.now();
  oldest.setUTCMonth(oldest.getUTCMonth() - lifetimes.mailContentMonths);
  await db
    .update(mails)
    .set({ content: null })
    .where(and(lt(mails.queuedAt, oldest), isNotNull(mails.content)));
}
