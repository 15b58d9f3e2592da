import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { tidyEmail } from '#contract/tidy.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Imaging } from '../ports/imaging.ts';
import type { ArrivedMail, InboundMailReader, MailAttachment, MailOutcome, ParsedMail } from '../ports/inbound-mail.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Storage } from '../ports/storage.ts';
import { storeFilesThenRow, type NewFile } from '../files/files.ts';
import { countMailsOfLastHour, countMailsToSince, queueMail } from '../mail/mail.ts';
import type { Ticket } from '../support/tickets.ts';
import {
  addTicketMessage,
  countMailTicketsOfLastHour,
  countMessagesOfLastHour,
  findAndLockTicket,
  lockInboundMail,
  openTicketByMail,
  recordMailOnce,
  wasMailRead,
  type KeptAttachment,
  type NewTicketMessage,
} from '../support/ticket-messages.ts';
import { readToken } from '../tokens/tokens.ts';
import { prepareAttachment } from './attachments.ts';
import { replyTokenIn } from './reply-address.ts';

interface Scope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  storage: Storage;
  imaging: Imaging;
  inboundMailReader: InboundMailReader;
  /** The address that customers write to. */
  inboundAddress: string;
  /** The shop's own addresses. Emails from them are ignored. */
  ownAddresses: () => Promise<string[]>;
  ownerEmail: () => Promise<string>;
  link: (path: string) => string;
}

/**
 * Reads an email that someone sent to the shop, once: a second copy is a `duplicate`. If it came to the reply address
 * of a ticket, and from the ticket's customer, it joins the ticket. Otherwise it becomes a new ticket. Automatic emails
 * are ignored, so that two programs never answer each other (docs/decisions/0125-inbound-mail.md).
 *
 * @param recipients the addresses to which the mail service received the email, if it says so
 */
export async function receiveMail(
  scope: Scope,
  { path, folder, isWhole }: ArrivedMail,
  recipients: string[] = [],
): Promise<MailOutcome> {
  const { db, clock } = scope;
  const mail = await scope.inboundMailReader.read(path, folder, { isWhole });
  const id = await computeMailId(mail, path);
  if (await wasMailRead(db, id)) return 'duplicate';
  const token = replyTokenIn(scope.inboundAddress, [...recipients, ...mail.recipients]);
  const tidySender = mail.from && { ...mail.from, address: tidyEmail(mail.from.address) };
  if (!tidySender || (await isIgnored(scope, mail, tidySender.address, token))) {
    const isNew = await recordMailOnce(db, clock, id, 'ignored');
    return isNew ? 'ignored' : 'duplicate';
  }
  const sender = tidySender.address;
  // Before the attachments are decoded. The transaction checks again.
  if ((await countMessagesOfLastHour(db, clock, sender)) >= limits.inboundMailsOfSender) return 'deferred';
  const isTicketReply = token !== undefined && (await readToken(db, 'ticket-reply', token)) !== undefined;
  if (!isTicketReply && (await countMailTicketsOfLastHour(db, clock)) >= limits.inboundTickets) return 'deferred';
  const { files, leftOut } = await prepareAttachments(scope, sender, mail.attachments);
  const message: NewTicketMessage = {
    fromName: tidySender.name,
    fromEmail: sender,
    words: mail.words,
    quoted: mail.quoted,
    leftOut: [...leftOut, ...mail.leftOut],
    problem: mail.problem,
    files: files.map(({ name, key, contentType, sizeBytes }) => ({ name, key, contentType, sizeBytes })),
  };
  const ownersMailbox = await scope.ownerEmail();
  const storeMail = () =>
    db.transaction(async (tx): Promise<MailOutcome> => {
      await lockInboundMail(tx);
      const { ticket: meant, isByToken } = await findReferencedTicket(tx, token, mail.subject);
      // A ticket's number is in every email about it, and a sender can be forged. Only the token proves who received the
      // email.
      const isForTicket =
        meant !== undefined && isByToken && meant.customerEmail !== '' && meant.customerEmail === sender;
      const outcome = isForTicket ? 'joined' : 'new-ticket';
      if (!(await recordMailOnce(tx, clock, id, outcome))) return 'duplicate';
      if ((await countMessagesOfLastHour(tx, clock, sender)) >= limits.inboundMailsOfSender)
        throw new Refusal('too-many-requests'); // rolls back, so that the email can be offered again
      if (isForTicket) {
        const addedTicketMessage = await addTicketMessage(tx, clock, meant.id, message);
        await mailOwner(tx, scope, ownersMailbox, meant, message, `owner-ticket:${addedTicketMessage.id}`);
        return outcome;
      }
      if ((await countMailTicketsOfLastHour(tx, clock)) >= limits.inboundTickets)
        throw new Refusal('too-many-requests');
      const subject = mail.subject || 'No subject';
      const openedTicket = await openTicketByMail(tx, clock, subject, message, meant?.id);
      if (!mail.refusesReplies) await mailReceipt(tx, scope, openedTicket, subject, message);
      await mailOwner(
        tx,
        scope,
        ownersMailbox,
        { ...openedTicket, subject },
        message,
        `owner-ticket:${openedTicket.id}`,
      );
      return outcome;
    });
  return storeFilesThenRow(scope.storage, files, storeMail, { isNamed: (outcome) => outcome !== 'duplicate' }).catch(
    (error: unknown) => {
      if (error instanceof Refusal && error.code === 'too-many-requests') return 'deferred';
      throw error;
    },
  );
}

/** Emails without a Message-ID are compared by their content. */
async function computeMailId({ messageId }: ParsedMail, path: string): Promise<string> {
  const hash = createHash('sha256');
  if (messageId) hash.update(messageId);
  else for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * Whether to ignore an email: a program wrote it, or it is the shop's own. A mailing list may forward a customer's
 * email to the shop, so an email of a list counts if it came to a reply address.
 */
async function isIgnored(scope: Scope, mail: ParsedMail, sender: string, token: string | undefined): Promise<boolean> {
  if (mail.origin === 'automatic') return true;
  if (mail.origin === 'list' && token === undefined) return true;
  const ownAddresses = [scope.inboundAddress, ...(await scope.ownAddresses())].map((it) => it.toLowerCase());
  return ownAddresses.includes(sender) || replyTokenIn(scope.inboundAddress, [sender]) !== undefined;
}

const numberPattern = /\bT-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}\b/i;

/**
 * The ticket of the reply address, or of the number in the subject. Locked. Not yet compared with the sender: an email
 * from someone else must not join it.
 */
async function findReferencedTicket(
  tx: Db,
  token: string | undefined,
  subject: string,
): Promise<{ ticket: Ticket | undefined; isByToken: boolean }> {
  const foundToken = token === undefined ? undefined : await readToken(tx, 'ticket-reply', token);
  if (foundToken) return { ticket: await findAndLockTicket(tx, { id: foundToken.subjectId }), isByToken: true };
  const ticketNumber = numberPattern.exec(subject)?.[0].toUpperCase();
  return {
    ticket: ticketNumber === undefined ? undefined : await findAndLockTicket(tx, { ticketNumber }),
    isByToken: false,
  };
}

/** Keeps pictures and PDFs. All other types are left out. */
async function prepareAttachments(scope: Scope, sender: string, attachments: MailAttachment[]) {
  const files: (NewFile & KeptAttachment)[] = [];
  const omittedNames: string[] = [];
  for (const attachment of attachments)
    try {
      const file = await prepareAttachment(scope, `mail:${sender}`, attachment);
      if (file) files.push(file);
      else omittedNames.push(attachment.name);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      omittedNames.push(attachment.name);
    }
  return { files, leftOut: omittedNames };
}

const dayMs = 86_400_000;

/**
 * Mails the sender of a new ticket that it has arrived. Strangers can forge the sender, so one address gets few of
 * these emails, and so do all addresses together.
 */
async function mailReceipt(
  tx: Db,
  scope: Scope,
  { id, ticketNumber }: Pick<Ticket, 'id' | 'ticketNumber'>,
  subject: string,
  { fromEmail, fromName }: NewTicketMessage,
): Promise<void> {
  const oneDayAgo = new Date(scope.clock.now().getTime() - dayMs);
  if ((await countMailsToSince(tx, fromEmail, 'ticket-received:', oneDayAgo)) >= limits.inboundReceipts) return;
  if ((await countMailsOfLastHour(tx, scope.clock, 'ticket-received:')) >= limits.inboundReceiptsOfHour) return;
  await queueMail(tx, scope, {
    event: `ticket-received:${id}`,
    to: fromEmail,
    content: { kind: 'ticket-received', name: fromName, ticketNumber, subject, ticketId: id },
  });
}

const problemTexts = {
  'too-large': `This email is larger than ${limits.inboundMailMegabytes} MB, so the shop did not read it. Open it in your mailbox.`,
  unreadable: 'The shop could not read this email. Open it in your mailbox.',
} as const;

const mailOwner = (
  tx: Db,
  scope: Scope,
  to: string,
  { id, ticketNumber, subject }: Pick<Ticket, 'id' | 'ticketNumber' | 'subject'>,
  { fromName, fromEmail, words, problem, files }: NewTicketMessage,
  event: string,
): Promise<void> =>
  queueMail(tx, scope, {
    event,
    to,
    content: {
      kind: 'owner-ticket',
      origin: 'mail',
      ticketNumber,
      customerName: fromName || fromEmail,
      customerEmail: fromEmail,
      files: files.length,
      subject,
      message: words || (problem ? problemTexts[problem] : 'The email has no text.'),
      adminUrl: scope.link(`/admin?tab=support&ticket=${id}`),
    },
  });
