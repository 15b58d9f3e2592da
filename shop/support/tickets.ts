import { createHash } from 'node:crypto';
import { asc, count, desc, eq, inArray, min, sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { ListQuery, ListResponse } from '#contract/lists.ts';
import type { ticketSorts, ticketStatuses } from '#contract/owner/tickets.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { readAll, readList, type List } from '../lists.ts';
import { queueMail } from '../mail/mail.ts';
import { refuseOverwriting } from '../notes.ts';
import { createReadableNumber } from '../readable-number.ts';
import { takeAnswerFiles, type TicketFile } from './ticket-messages.ts';
import { ticketAnswers, tickets, type Ticket } from './support.sql.ts';

export type { Ticket } from './support.sql.ts';
type Status = (typeof ticketStatuses)[number];
type Sort = (typeof ticketSorts)[number];

const list: List<typeof tickets, Sort, Status> = {
  table: tickets,
  sorts: { date: [tickets.createdAt, tickets.id] },
  sort: '-date',
  filters: { open: eq(tickets.status, 'open'), completed: eq(tickets.status, 'completed') },
  search: (isIn) => isIn(tickets.search),
};

/** Lists tickets, newest first. The search matches numbers, names, email addresses and subjects. */
export const listTickets = (db: Db, listQuery: ListQuery<Sort, Status>): Promise<ListResponse<Ticket>> =>
  readList(db, list, listQuery);

/** The number of open tickets, and the time of the oldest one; undefined if there are none. */
export async function countOpenTickets(db: Db) {
  const [open] = await db
    .select({ count: count(), since: min(tickets.createdAt) })
    .from(tickets)
    .where(eq(tickets.status, 'open'));
  return open?.since ? { count: open.count, since: open.since } : undefined;
}

/** Yields all matching tickets in batches. */
export const readAllTickets = (db: Db, listQuery: ListQuery<Sort, Status>): AsyncGenerator<Ticket[], void> =>
  readAll(db, list, listQuery);

export async function findTicketById(db: Db, id: string): Promise<Ticket> {
  const [ticket] = await db.select().from(tickets).where(eq(tickets.id, id));
  if (!ticket) throw new Refusal('not-found');
  return ticket;
}

/** How many tickets of a customer the panel shows. */
const mostTicketsOfCustomer = 20;

/** The newest tickets of an email address. Uses the index of the search. */
export async function readNewestTicketsOfAddress(db: Db, address: string): Promise<Ticket[]> {
  const { rows } = await listTickets(db, { q: address, limit: mostTicketsOfCustomer });
  return rows.filter((it) => it.customerEmail.toLowerCase() === address.toLowerCase());
}

/** The tickets of an email address, newest first. */
export const readTicketsOfAddress = (db: Db, address: string): Promise<Ticket[]> =>
  db
    .select()
    .from(tickets)
    .where(sql`lower(${tickets.customerEmail}) = ${address}`)
    .orderBy(desc(tickets.createdAt), desc(tickets.id));

export type TicketAnswer = typeof ticketAnswers.$inferSelect;

/** The answers to these tickets, oldest first. */
export const readAnswersOfTickets = (db: Db, ticketIds: string[]): Promise<TicketAnswer[]> =>
  db
    .select()
    .from(ticketAnswers)
    .where(inArray(ticketAnswers.ticketId, ticketIds))
    .orderBy(asc(ticketAnswers.answeredAt), asc(ticketAnswers.id));

/** Sets the status and the notes of a ticket. */
export async function editTicket(
  { db, clock }: { db: Db; clock: Clock },
  id: string,
  change: { status?: Status | undefined; adminNotes?: string | undefined; adminNotesBefore?: string | undefined },
  by: AuditAuthor = {},
): Promise<void> {
  await db.transaction(async (tx) => {
    const ticketBefore = await lockTicket(tx, id);
    const { status = ticketBefore.status, adminNotes = ticketBefore.adminNotes, adminNotesBefore } = change;
    refuseOverwriting(ticketBefore.adminNotes, adminNotes, adminNotesBefore);
    await tx.update(tickets).set({ status, adminNotes }).where(eq(tickets.id, id));
    await recordAuditEntry(tx, clock, {
      act: 'edit-ticket',
      subjectId: id,
      before: { status: ticketBefore.status, adminNotes: ticketBefore.adminNotes },
      after: { status, adminNotes },
      ...by,
    });
  });
}

interface NewAnswer {
  answer: string;
  complete: boolean;
  /** A repeated request with the same key, after a lost response, stores only one answer and sends one mail. */
  key?: string | undefined;
  fileIds?: string[] | undefined;
}

/** Answers a ticket by mail, once for each `key`. The answer is stored with the ticket. */
export async function answerTicket(
  { db, clock, jobs, link }: { db: Db; clock: Clock; jobs: Jobs; link: (path: string) => string },
  ticketId: string,
  { answer, complete, key = newId(), fileIds = [] }: NewAnswer,
  by: AuditAuthor = {},
): Promise<void> {
  const id = createHash('sha256').update(`${ticketId}:${key}`).digest('base64url');
  await db.transaction(async (tx) => {
    const ticket = await lockTicket(tx, ticketId);
    if (ticket.customerEmail === '') throw new Refusal('no-email-to-answer');
    const [isNew] = await tx
      .insert(ticketAnswers)
      .values({ id, ticketId, words: answer, answeredAt: clock.now() })
      .onConflictDoNothing()
      .returning({ id: ticketAnswers.id });
    if (!isNew) return;
    const files = await takeAnswerFiles(tx, id, fileIds);
    if (complete) await tx.update(tickets).set({ status: 'completed' }).where(eq(tickets.id, ticketId));
    await queueMail(
      tx,
      { clock, jobs },
      {
        event: `ticket-answered:${id}`,
        to: ticket.customerEmail,
        content: {
          kind: 'ticket-answered',
          name: ticket.customerName,
          ticketNumber: ticket.ticketNumber,
          subject: ticket.subject,
          answer,
          supportUrl: link('/support'),
          ticketId,
          files: files.map(toAttachment),
        },
      },
    );
    // The audit trail must not contain the text, because it is deleted with the ticket.
    await recordAuditEntry(tx, clock, {
      act: 'answer-ticket',
      subjectId: ticketId,
      after: { answer: id, complete },
      ...by,
    });
  });
}

interface OwnersMessage {
  /** The order or customer that the owner writes to; part of the idempotency key. */
  subjectId: string;
  name: string;
  email: string;
  order?: { id: string; orderNumber: string } | undefined;
  subject: string;
  message: string;
  key: string;
  fileIds: string[];
}

const toAttachment = ({ key, name, contentType }: TicketFile) => ({ key, name, contentType });

/**
 * Mails a customer who has not asked, once for each `key`. The message is the first answer of a completed ticket. If the
 * customer answers, the ticket opens. Returns the ticket's id, and whether it is new.
 */
export async function openTicketByOwner(
  tx: Db,
  { clock, jobs, link }: { clock: Clock; jobs: Jobs; link: (path: string) => string },
  { subjectId, name, email, order, subject, message, key, fileIds }: OwnersMessage,
): Promise<{ id: string; ticketNumber: string; isNew: boolean }> {
  if (email === '') throw new Refusal('no-email-to-answer');
  const id = createHash('sha256').update(`${subjectId}:${key}`).digest('base64url');
  const now = clock.now();
  const ticketNumber = createReadableNumber('T');
  const [inserted] = await tx
    .insert(tickets)
    .values({
      id,
      ticketNumber,
      kind: 'owner',
      status: 'completed',
      subject,
      customerName: name || email,
      customerEmail: email,
      smsConsent: false,
      message: '',
      createdAt: now,
    })
    .onConflictDoNothing({ target: tickets.id })
    .returning({ id: tickets.id });
  if (!inserted) return { id, ticketNumber: (await findTicketById(tx, id)).ticketNumber, isNew: false };
  await tx.insert(ticketAnswers).values({ id, ticketId: id, words: message, answeredAt: now });
  const files = await takeAnswerFiles(tx, id, fileIds);
  await queueMail(
    tx,
    { clock, jobs },
    {
      event: `ticket-answered:${id}`,
      to: email,
      ...(order && { orderId: order.id }),
      content: {
        kind: 'ticket-answered',
        name,
        ticketNumber,
        subject,
        answer: message,
        isFirst: true,
        orderNumber: order?.orderNumber,
        supportUrl: link('/support'),
        ticketId: id,
        files: files.map(toAttachment),
      },
    },
  );
  return { id, ticketNumber, isNew: true };
}

async function lockTicket(tx: Db, id: string): Promise<Ticket> {
  const [ticket] = await tx.select().from(tickets).where(eq(tickets.id, id)).for('update');
  if (!ticket) throw new Refusal('not-found');
  return ticket;
}
