import { and, eq, isNull } from 'drizzle-orm';
import type { LetterContent, LetterShop } from '#contract/letters.ts';
import type { Clock, Db, Jobs, Letter, Mailer } from '../ports.ts';
import { newId } from '../columns.ts';
import { mails, type LetterWords } from './mail.sql.ts';

export interface NewMail {
  /** What happened, once: `receipt:{orderId}`. */
  event: string;
  to: string;
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
  const queued = await tx
    .insert(mails)
    .values(newMails.map((mail) => ({ id: newId(), ...mail, queuedAt: clock.now() })))
    .onConflictDoNothing({ target: mails.event })
    .returning({ mailId: mails.id });
  if (queued.length > 0) await jobs.enqueueAll(tx, 'send-mail', queued);
}

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
}

/** The job behind `queueMail`. The letter carries the mail's id, so a second try after a crash is the same mail again. */
export async function sendMail({ db, clock, mailer, render, from, shop }: MailScope, mailId: string): Promise<void> {
  const [mail] = await db
    .select()
    .from(mails)
    .where(and(eq(mails.id, mailId), isNull(mails.sentAt)));
  if (!mail?.content) return;
  const letter: Letter = {
    id: mail.id,
    to: mail.to,
    from,
    date: mail.queuedAt,
    ...(await render({ ...mail.content, shop: await shop() })),
  };
  await mailer.send(letter);
  // Its links hold tokens: once it is on its way, nobody needs to find them here.
  await db.update(mails).set({ sentAt: clock.now(), content: null }).where(eq(mails.id, mailId));
}
