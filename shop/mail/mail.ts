import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import { isToOwner } from '#contract/email-names.ts';
import type { EmailContent, EmailKind, EmailPosters, EmailShop } from '#contract/emails.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Email, EmailAttachment, EmailPicture, Mailer } from '../ports/mailer.ts';
import { newId } from '../columns.ts';
import type { DeleteOldRows } from '../delete-old-rows.ts';
import { createQueryByValues } from '../rows-among.ts';
import { writeLinks, type FindLinkedOrder } from './links.ts';
import { mails, type StoredEmail } from './mail.sql.ts';

export interface NewMail {
  /** The unique name of what happened: `receipt:{orderId}`. */
  event: string;
  /** The recipient. If it is empty, no mail is queued. */
  to: string;
  /** The order that the mail is about. */
  orderId?: string;
  content: StoredEmail;
}
interface QueueScope {
  jobs: Jobs;
  clock: Clock;
}

/**
 * Queues a mail in the transaction of the event that causes it. The event's name is unique, so a second call with the
 * same event sends nothing.
 */
export const queueMail = (tx: Db, scope: QueueScope, mail: NewMail): Promise<void> => queueMails(tx, scope, [mail]);

/** Queues several mails in one statement. */
export async function queueMails(tx: Db, { jobs, clock }: QueueScope, newMails: NewMail[]): Promise<void> {
  const rows = newMails
    .filter((mail) => mail.to !== '')
    .map((mail) => ({ id: newId(), orderId: null, ...mail, queuedAt: clock.now(), sentAt: null }));
  if (rows.length === 0) return;
  const queuedRows = await tx
    .insert(mails)
    .values(rows)
    .onConflictDoNothing({ target: mails.event })
    .returning({ mailId: mails.id });
  if (queuedRows.length > 0) await jobs.enqueueAll(tx, 'send-mail', queuedRows);
}

/** Returns those of the given events for which a mail was already queued. */
export const findEventsWithMail = async (db: Db, events: string[]): Promise<Set<string>> =>
  new Set((await mailsOfEvents(db, events)).map((it) => it.event));
const mailsOfEvents = createQueryByValues(mails.event, (db, isAmong) =>
  db.select({ event: mails.event }).from(mails).where(isAmong),
);

/** Renders a mail's content and its posters into a subject, bodies and embedded pictures. */
/** The emails that were queued for a customer's address, newest first. `kind` is null if the content was deleted. */
export async function readEmailsToCustomer(db: Db, address: string) {
  const rows = await db
    .select({
      kind: sql<EmailKind | null>`${mails.content} ->> 'kind'`,
      queuedAt: mails.queuedAt,
      sentAt: mails.sentAt,
    })
    .from(mails)
    .where(eq(mails.to, address))
    .orderBy(desc(mails.queuedAt), desc(mails.id));
  return rows.filter(({ kind }) => kind === null || !isToOwner(kind)); // the shop's owner may also be a customer
}

export type RenderEmail = (
  content: EmailContent,
  posters?: EmailPicture[],
) => Promise<{ subject: string; html: string; text: string; pictures: EmailPicture[] }>;

type StoredAttachment = { key: string; name: string; contentType: string };

export interface MailScope {
  db: Db;
  clock: Clock;
  mailer: Mailer;
  render: RenderEmail;
  /** Sender, `Kinframe <hello@…>`. */
  from: string;
  /** The shop's name and address, from the site settings at the time the mail is sent. */
  shop: () => Promise<EmailShop>;
  /** Builds an absolute address from a path. */
  link: (path: string) => string;
  orderById: FindLinkedOrder;
  /**
   * Creates the address at which answers to an email about a ticket join the ticket. Undefined if the shop does not read
   * emails.
   */
  replyAddressOf?: ((ticketId: string) => Promise<string>) | undefined;
  /** Reads the stored files that a mail attaches. */
  readAttachments: (files: StoredAttachment[]) => Promise<EmailAttachment[]>;
  /**
   * Creates a code for a gift card. Returns undefined if the card was voided. Passed in, because the mail module must
   * not import the module for gift cards.
   */
  giftCardCode: (giftCardId: string) => Promise<string | undefined>;
  /** Reads the posters that a mail shows. Passed in, because the mail module must not import the modules for videos. */
  readPosters: (of: EmailPosters) => Promise<EmailPicture[]>;
}

/**
 * The job that `queueMail` enqueues. The row's id becomes the mail's Message-ID, so mail programs recognize a second
 * send after a crash as the same mail. A second send creates new tokens for the links. The tokens of the first send
 * stay valid, except those of links with `isOnlyOne`. A second send also creates a second code of a gift card. Both
 * codes open the same card.
 */
export async function sendMail(scope: MailScope, mailId: string): Promise<void> {
  const { db, clock, mailer, render, from, shop, readPosters } = scope;
  const [mail] = await db
    .select()
    .from(mails)
    .where(and(eq(mails.id, mailId), isNull(mails.sentAt)));
  if (!mail?.content) return;
  const contentWithUrls = await writeLinks(scope, mail.content, hasContentCondition(mailId));
  if (!contentWithUrls) return;
  const giftCardCode =
    mail.content.kind === 'gift-card' ? await scope.giftCardCode(mail.content.giftCardId) : undefined;
  // A card that was voided in the meantime has no code, and the recipient gets no email.
  if (mail.content.kind === 'gift-card' && giftCardCode === undefined) return;
  const wantedPosters = 'posters' in mail.content ? mail.content.posters : undefined;
  const shopDetails = await shop();
  const attachedFiles = mail.content.kind === 'ticket-answered' ? mail.content.files : undefined;
  const ticketId = 'ticketId' in mail.content ? mail.content.ticketId : undefined;
  const replyTo = ticketId === undefined ? undefined : await scope.replyAddressOf?.(ticketId);
  const email: Email = {
    id: mail.id,
    to: mail.to,
    from,
    replyTo: replyTo ?? shopDetails.supportEmail,
    ...(attachedFiles && { files: await scope.readAttachments(attachedFiles) }),
    date: mail.queuedAt,
    ...('unsubscribeUrl' in contentWithUrls &&
      typeof contentWithUrls.unsubscribeUrl === 'string' && { unsubscribeUrl: contentWithUrls.unsubscribeUrl }),
    // `writeLinks` has replaced every link with an address, so the cast is safe.
    ...(await render(
      {
        ...contentWithUrls,
        ...(giftCardCode !== undefined && { giftCardCode }),
        shop: shopDetails,
        ...(replyTo && { canReply: true }),
      } as EmailContent,
      wantedPosters && (await readPosters(wantedPosters)),
    )),
  };
  await mailer.send(email);
  const sentAt = clock.now();
  await db
    .update(mails)
    .set({ sentAt, ...(isDeletedOnceSent(mail.content) && erasedFields) })
    .where(eq(mails.id, mailId));
}

/** The column values of a mail whose content and recipient are deleted. */
const erasedFields = { content: null, to: '' };
/**
 * Whether the content and the recipient are deleted as soon as the mail is sent: the last mail to a deleted account,
 * and the link to a visitor's free video.
 */
const isDeletedOnceSent = (content: StoredEmail) =>
  content.kind === 'trial-film' ||
  content.kind === 'frames-back' ||
  (content.kind === 'photos-erased' && content.reason === 'account-deleted');

/**
 * Counts the mails of the last hour whose event starts with `eventBegins`, to limit mails that strangers can request.
 */
export const countMailsOfLastHour = (tx: Db, clock: Clock, eventBegins: string): Promise<number> =>
  tx.$count(
    mails,
    and(
      gt(mails.queuedAt, new Date(clock.now().getTime() - 3_600_000)),
      sql`starts_with(${mails.event}, ${eventBegins})`,
    ),
  );

/** Counts the mails to one address since a time whose event starts with `eventBegins`. */
export const countMailsToSince = (tx: Db, to: string, eventBegins: string, since: Date): Promise<number> =>
  tx.$count(mails, and(eq(mails.to, to), gt(mails.queuedAt, since), sql`starts_with(${mails.event}, ${eventBegins})`));

/** Counts the mails of the last hour to one address whose event starts with `eventBegins`. */
export const countMailsOfLastHourTo = (tx: Db, clock: Clock, to: string, eventBegins: string): Promise<number> =>
  countMailsToSince(tx, to, eventBegins, new Date(clock.now().getTime() - 3_600_000));

/** Whether a mail about this order whose event starts with `eventBegins` was sent by the given time. */
export const wasMailSentBy = async (tx: Db, orderId: string, eventBegins: string, by: Date): Promise<boolean> =>
  (await tx.$count(
    mails,
    and(eq(mails.orderId, orderId), sql`starts_with(${mails.event}, ${eventBegins})`, lte(mails.sentAt, by)),
  )) > 0;

/**
 * Deletes the content and recipient of every mail to this person, and the content of every mail to the owner about this
 * person. Unsent mails are included. The rows stay.
 */
export async function deleteMailContentOfPerson(tx: Db, address: string): Promise<void> {
  await tx.update(mails).set(erasedFields).where(eq(mails.to, address));
  await tx
    .update(mails)
    .set({ content: null })
    .where(sql`${mails.content} ->> 'customerEmail' = ${address}`);
}

/**
 * Deletes the content and recipient of every mail whose event contains one of these ids after its kind
 * (`password-reset:{customerId}:…`). The unsent email of a gift card stays: it belongs to its recipient, and only it
 * makes the card's code.
 */
export async function deleteMailContentNaming(tx: Db, ids: string[]): Promise<void> {
  await tx
    .update(mails)
    .set(erasedFields)
    .where(
      and(
        inArray(sql`split_part(${mails.event}, ':', 2)`, ids),
        sql`not (starts_with(${mails.event}, 'gift-card:') and ${mails.sentAt} is null)`,
      ),
    );
}

/** Deletes the content and recipient of every mail about these orders. */
export async function deleteMailContentAboutOrders(tx: Db, orderIds: string[]): Promise<void> {
  await tx.update(mails).set(erasedFields).where(inArray(mails.orderId, orderIds));
}

/** Deletes the content and recipient of unsent mails whose event starts with `eventBegins`. They are then not sent. */
export async function deleteUnsentMailContent(tx: Db, eventBegins: string): Promise<void> {
  const unsentIds = tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.sentAt), isNotNull(mails.content), sql`starts_with(${mails.event}, ${eventBegins})`))
    .orderBy(mails.id)
    .for('no key update');
  await tx
    .update(mails)
    .set(erasedFields)
    .where(sql`${mails.id} = any(array(${unsentIds}))`);
}

/** Mails whose links open an account without a password. */
const accountAccessKinds: StoredEmail['kind'][] = [
  'password-reset',
  'sign-in-link',
  'email-confirmation',
  'upload-link',
];

/**
 * Deletes the content of mails with sign-in links to an address that no longer belongs to its customer. Otherwise such
 * a mail would get new tokens when it is sent, or sent again. Call this before existing tokens are revoked: it waits
 * until a mail that is being sent has stored its tokens.
 */
export async function deleteSignInMailContent(tx: Db, address: string): Promise<void> {
  await tx
    .update(mails)
    .set({ content: null })
    .where(and(eq(mails.to, address), inArray(sql`${mails.content} ->> 'kind'`, accountAccessKinds)));
}

/**
 * The condition that the mail's content still exists. It locks the mail's row: a transaction that deletes the content
 * waits until the mail's tokens are stored, and can then revoke them.
 */
const hasContentCondition = (mailId: string) =>
  sql`exists (select from ${mails} where ${mails.id} = ${mailId} and ${mails.content} is not null for share)`;

/**
 * Deletes the content of old mails. The row and its times stay. The recipient stays only if the mail is about an order.
 * Skips rows that another transaction has locked.
 */
export const deleteOldMailContent: DeleteOldRows = async (db, before, limit) => {
  const oldestIds = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(lt(mails.queuedAt, before), isNotNull(mails.content)))
    .orderBy(mails.queuedAt)
    .limit(limit)
    .for('no key update', { skipLocked: true });
  const erasedMails = await db
    .update(mails)
    .set({ content: null, to: sql`case when ${mails.orderId} is null then '' else ${mails.to} end` })
    .where(sql`${mails.id} = any(array(${oldestIds}))`)
    .returning({ id: mails.id });
  return erasedMails.length;
};
