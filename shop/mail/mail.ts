import { and, eq, gt, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import type { LetterContent, LetterPosters, LetterShop } from '#contract/letters.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Letter, LetterPicture, Mailer } from '../ports/mailer.ts';
import { newId } from '../columns.ts';
import type { Forget } from '../forget.ts';
import { prepared, preparedAmong, preparedRows } from '../prepared.ts';
import { writeLinks, type FindLinkedOrder } from './links.ts';
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

/** Which of these events have had their mail. */
export const eventsTold = async (db: Db, events: string[]): Promise<Set<string>> =>
  new Set((await toldAmong(db, events)).map((it) => it.event));
const toldAmong = preparedAmong(mails.event, (db, isAmong) =>
  db.select({ event: mails.event }).from(mails).where(isAmong),
);

/** Turns a letter's content, and the posters it asks for, into its subject, bodies and what they show. */
export type RenderLetter = (
  content: LetterContent,
  posters?: LetterPicture[],
) => Promise<{ subject: string; html: string; text: string; pictures: LetterPicture[] }>;

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
  orderById: FindLinkedOrder;
  /** Of videos, which stand above mail. */
  readPosters: (of: LetterPosters) => Promise<LetterPicture[]>;
}

/**
 * The job behind `queueMail`. The letter carries the mail's id, so a second try after a crash is the same mail again; the
 * tokens of its links are new ones, and those of the first try simply end unused.
 */
export async function sendMail(scope: MailScope, mailId: string): Promise<void> {
  const { db, clock, mailer, render, from, shop, readPosters } = scope;
  const [mail] = await unsentMail(db, { mailId });
  if (!mail?.content) return;
  const words = await writeLinks(scope, mail.content, isKept(mailId));
  if (!words) return;
  const wanted = 'posters' in mail.content ? mail.content.posters : undefined;
  const writer = await shop();
  const letter: Letter = {
    id: mail.id,
    to: mail.to,
    from,
    replyTo: writer.supportEmail,
    date: mail.queuedAt,
    ...('unsubscribeUrl' in words &&
      typeof words.unsubscribeUrl === 'string' && { unsubscribeUrl: words.unsubscribeUrl }),
    // Every link of the words is an address by now.
    ...(await render({ ...words, shop: writer } as LetterContent, wanted && (await readPosters(wanted)))),
  };
  await mailer.send(letter);
  const sentAt = clock.now();
  if (isFarewell(mail.content))
    await db
      .update(mails)
      .set({ sentAt, ...forgotten })
      .where(eq(mails.id, mailId));
  else await noteSent(db, { mailId, sentAt });
}

const unsentMail = prepared<{ mailId: string }, (typeof mails.$inferSelect)[]>((db, value) =>
  db
    .select()
    .from(mails)
    .where(and(eq(mails.id, value('mailId')), isNull(mails.sentAt))),
);
const noteSent = prepared<{ mailId: string; sentAt: Date }, unknown>((db, value) =>
  db
    .update(mails)
    .set({ sentAt: value('sentAt', mails.sentAt) })
    .where(eq(mails.id, value('mailId'))),
);

/** What is left of a mail whose reader is to be forgotten. */
const forgotten = { content: null, to: '' };
/** The last mail to somebody whose account is gone: nothing of it is kept. */
const isFarewell = (content: LetterWords) => content.kind === 'photos-erased' && content.reason === 'account-deleted';

/** Mails of the last hour whose event begins so: what strangers can ask for has its measure. */
export const countLastHour = (tx: Db, clock: Clock, eventBegins: string): Promise<number> =>
  tx.$count(
    mails,
    and(
      gt(mails.queuedAt, new Date(clock.now().getTime() - 3_600_000)),
      sql`starts_with(${mails.event}, ${eventBegins})`,
    ),
  );

/** Whether a mail of an order whose event begins so has left by then. */
export const hasLeft = async (tx: Db, orderId: string, eventBegins: string, by: Date): Promise<boolean> =>
  (await tx.$count(
    mails,
    and(eq(mails.orderId, orderId), sql`starts_with(${mails.event}, ${eventBegins})`, lte(mails.sentAt, by)),
  )) > 0;

/** Every mail to this person, or to the owner about them, is forgotten, sent or waiting; that there was one stays. */
export async function forgetMailsOf(tx: Db, address: string): Promise<void> {
  await tx.update(mails).set(forgotten).where(eq(mails.to, address));
  await tx
    .update(mails)
    .set({ content: null })
    .where(sql`${mails.content} ->> 'customerEmail' = ${address}`);
}

/**
 * The same of every mail whose event names one of these after its kind (`password-reset:{customerId}:…`), whichever
 * mailbox it went to.
 */
export async function forgetMailsNaming(tx: Db, ids: string[]): Promise<void> {
  await tx
    .update(mails)
    .set(forgotten)
    .where(inArray(sql`split_part(${mails.event}, ':', 2)`, ids));
}

/** The same of every mail that tells of these orders. */
export async function forgetMailsAbout(tx: Db, orderIds: string[]): Promise<void> {
  await tx.update(mails).set(forgotten).where(inArray(mails.orderId, orderIds));
}

/** Letters whose links open an account by themselves. */
const waysIn: LetterWords['kind'][] = ['password-reset', 'sign-in-link', 'email-confirmation', 'upload-link'];

/**
 * What opens an account by itself is forgotten of an address that is its customer's no more: a mail that waits, or is sent
 * again, would get new tokens. To be called before those it has are revoked: a mail that is being written is waited for.
 */
export async function forgetWaysIn(tx: Db, address: string): Promise<void> {
  await tx
    .update(mails)
    .set({ content: null })
    .where(and(eq(mails.to, address), inArray(sql`${mails.content} ->> 'kind'`, waysIn)));
}

/** Holds the mail's row, so that whoever forgets it waits until its tokens are stored, and can revoke them. */
const isKept = (mailId: string) =>
  sql`exists (select from ${mails} where ${mails.id} = ${mailId} and ${mails.content} is not null for share)`;

/**
 * What an old mail said is forgotten; that it was sent and when stays, and to whom where it tells of an order. One that
 * somebody holds is passed over.
 */
export const forgetMailWords: Forget = async (db, before, limit) => {
  const oldest = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(lt(mails.queuedAt, before), isNotNull(mails.content)))
    .orderBy(mails.queuedAt)
    .limit(limit)
    .for('no key update', { skipLocked: true });
  const forgotten = await db
    .update(mails)
    .set({ content: null, to: sql`case when ${mails.orderId} is null then '' else ${mails.to} end` })
    .where(sql`${mails.id} = any(array(${oldest}))`)
    .returning({ id: mails.id });
  return forgotten.length;
};
