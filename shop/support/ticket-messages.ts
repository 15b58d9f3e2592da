import { and, asc, eq, gt, gte, inArray, isNull, sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { MailOutcome, MailProblem } from '../ports/inbound-mail.ts';
import { newId } from '../columns.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import type { NamedFiles } from '../files/files.ts';
import { createReadableNumber } from '../readable-number.ts';
import { inboundMails, ticketFiles, ticketMessages, tickets, type Ticket } from './support.sql.ts';

/** The folder of the stored attachments. */
export const ticketFolder = 'tickets/';

export interface KeptAttachment {
  name: string;
  key: string;
  contentType: string;
  sizeBytes: number;
}

export interface NewTicketMessage {
  fromName: string;
  fromEmail: string;
  words: string;
  quoted: string;
  leftOut: string[];
  problem: MailProblem | null;
  files: KeptAttachment[];
}

/** Stores an email as a new ticket. */
export async function openTicketByMail(
  tx: Db,
  clock: Clock,
  subject: string,
  message: NewTicketMessage,
  relatedTicketId: string | undefined,
): Promise<Pick<Ticket, 'id' | 'ticketNumber'>> {
  const id = newId();
  const ticketNumber = createReadableNumber('T');
  await tx.insert(tickets).values({
    id,
    ticketNumber,
    kind: 'mail',
    status: 'open',
    subject,
    customerName: message.fromName || message.fromEmail,
    customerEmail: message.fromEmail,
    smsConsent: false,
    message: message.words,
    createdAt: clock.now(),
    relatedTicketId: relatedTicketId ?? null,
  });
  await insertMessage(tx, clock, id, message);
  return { id, ticketNumber };
}

/** Adds an email to a ticket, and opens the ticket again. The caller has locked the ticket. */
export async function addTicketMessage(
  tx: Db,
  clock: Clock,
  ticketId: string,
  message: NewTicketMessage,
): Promise<{ id: string }> {
  await tx.update(tickets).set({ status: 'open' }).where(eq(tickets.id, ticketId));
  return insertMessage(tx, clock, ticketId, message);
}

async function insertMessage(tx: Db, clock: Clock, ticketId: string, { files, ...message }: NewTicketMessage) {
  const id = newId();
  await tx.insert(ticketMessages).values({ id, ticketId, ...message, receivedAt: clock.now() });
  if (files.length > 0)
    await tx
      .insert(ticketFiles)
      .values(files.map((file, position) => ({ id: newId(), messageId: id, position, ...file, addedAt: clock.now() })));
  return { id };
}

/** Locks the ticket with this id or number. Returns undefined if there is none. */
export async function findAndLockTicket(
  tx: Db,
  by: { id: string } | { ticketNumber: string },
): Promise<Ticket | undefined> {
  const isRequestedTicket = 'id' in by ? eq(tickets.id, by.id) : eq(tickets.ticketNumber, by.ticketNumber);
  const [ticket] = await tx.select().from(tickets).where(isRequestedTicket).for('update');
  return ticket;
}

// ---------------------------------------------------------------- files of the owner's answers

/** Stores a file that the owner wants to send. It is deleted after a day if no answer takes it. */
export async function addAnswerFile(tx: Db, clock: Clock, file: KeptAttachment): Promise<TicketFile> {
  const values = { id: newId(), position: 0, ...file, addedAt: clock.now() };
  const [added] = await tx.insert(ticketFiles).values(values).returning();
  return added!;
}

/**
 * Gives unsent files to an answer, in this order. Refuses a file that is unknown, sent or expired. Updates the rows in
 * ascending id order, so that two answers with the same files cannot deadlock.
 */
export async function takeAnswerFiles(tx: Db, answerId: string, fileIds: string[]): Promise<TicketFile[]> {
  const takenTicketFiles: TicketFile[] = [];
  const filePositions = fileIds.map((id, position) => ({ id, position }));
  for (const { id, position } of filePositions.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const isUnsent = and(eq(ticketFiles.id, id), isNull(ticketFiles.messageId), isNull(ticketFiles.answerId));
    const [file] = await tx.update(ticketFiles).set({ answerId, position }).where(isUnsent).returning();
    if (!file) throw new Refusal('answer-file-gone');
    takenTicketFiles.push(file);
  }
  return takenTicketFiles.toSorted((a, b) => a.position - b.position);
}

/** The files of these answers. */
export const readFilesOfAnswers = (db: Db, answerIds: string[]): Promise<TicketFile[]> =>
  db.select().from(ticketFiles).where(inArray(ticketFiles.answerId, answerIds)).orderBy(asc(ticketFiles.position));

/** Deletes files that no answer has taken. The sweep of unreferenced files then deletes the files. */
export const deleteOldUnsentFiles = deleteOldRows(
  ticketFiles,
  ticketFiles.id,
  ticketFiles.addedAt,
  and(isNull(ticketFiles.messageId), isNull(ticketFiles.answerId)),
);

// ---------------------------------------------------------------- limits, and reading each email once

/** Emails are stored one at a time, so that the counts below are exact. The lock ends with the transaction. */
export const lockInboundMail = (tx: Db) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('inbound-mail', 0))`);

export const wasMailRead = async (db: Db, id: string): Promise<boolean> =>
  (await db.$count(inboundMails, eq(inboundMails.id, id))) > 0;

/** Records that an email was read. Returns false if it was read before. */
export async function recordMailOnce(tx: Db, clock: Clock, id: string, outcome: MailOutcome): Promise<boolean> {
  const recordedMails = await tx
    .insert(inboundMails)
    .values({ id, outcome, readAt: clock.now() })
    .onConflictDoNothing()
    .returning({ id: inboundMails.id });
  return recordedMails.length > 0;
}

const computeHourBefore = (clock: Clock) => new Date(clock.now().getTime() - 3_600_000);

/** The number of emails that the shop kept from this sender within the last hour. */
export const countMessagesOfLastHour = (db: Db, clock: Clock, fromEmail: string): Promise<number> =>
  db.$count(
    ticketMessages,
    and(eq(ticketMessages.fromEmail, fromEmail), gt(ticketMessages.receivedAt, computeHourBefore(clock))),
  );

/** The number of tickets that emails opened within the last hour. */
export const countMailTicketsOfLastHour = (db: Db, clock: Clock): Promise<number> =>
  db.$count(tickets, and(eq(tickets.kind, 'mail'), gt(tickets.createdAt, computeHourBefore(clock))));

export const deleteOldInboundMails = deleteOldRows(inboundMails, inboundMails.id, inboundMails.readAt);

// ---------------------------------------------------------------- reading

export type TicketFile = typeof ticketFiles.$inferSelect;
export type TicketMessage = typeof ticketMessages.$inferSelect & { files: TicketFile[] };

/** The emails of these tickets, oldest first. */
export async function readMessagesOf(db: Db, ticketIds: string[]): Promise<TicketMessage[]> {
  if (ticketIds.length === 0) return [];
  const rows = await db
    .select()
    .from(ticketMessages)
    .where(inArray(ticketMessages.ticketId, ticketIds))
    .orderBy(asc(ticketMessages.receivedAt), asc(ticketMessages.id));
  if (rows.length === 0) return [];
  const messageIds = rows.map((it) => it.id);
  const files = await db
    .select()
    .from(ticketFiles)
    .where(inArray(ticketFiles.messageId, messageIds))
    .orderBy(asc(ticketFiles.position));
  const filesByMessage = Map.groupBy(files, (it) => it.messageId);
  return rows.map((row) => ({ ...row, files: filesByMessage.get(row.id) ?? [] }));
}

export async function findTicketFileById(db: Db, id: string): Promise<TicketFile | undefined> {
  const [file] = await db.select().from(ticketFiles).where(eq(ticketFiles.id, id));
  return file;
}

/** The numbers of these tickets by id. */
export async function readTicketNumbersOf(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: tickets.id, ticketNumber: tickets.ticketNumber })
    .from(tickets)
    .where(inArray(tickets.id, ids));
  return new Map(rows.map((it) => [it.id, it.ticketNumber]));
}

export const ticketNamedFiles: NamedFiles = {
  folders: [ticketFolder],
  async selectNamed(db, wanted) {
    const rows = await db.select({ key: ticketFiles.key }).from(ticketFiles).where(inArray(ticketFiles.key, wanted));
    return new Set(rows.map((it) => it.key));
  },
  async listNamedFrom(db, name, limit) {
    const rows = await db
      .select({ key: ticketFiles.key })
      .from(ticketFiles)
      .where(gte(ticketFiles.key, `${ticketFolder}${name}`))
      .orderBy(asc(ticketFiles.key))
      .limit(limit);
    return rows.map((it) => it.key);
  },
  every: sql`select ${ticketFiles.key} as key from ${ticketFiles}`,
};
