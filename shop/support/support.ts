import { inArray, or, sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { newId } from '../columns.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { queueMail } from '../mail/mail.ts';
import { toInternationalPhone } from '../phone-number.ts';
import { createReadableNumber } from '../readable-number.ts';
import { ticketAnswers, ticketFiles, ticketMessages, tickets } from './support.sql.ts';

interface Question {
  kind: 'support' | 'contact';
  name: string;
  email: string;
  phone?: string | undefined;
  smsConsent: boolean;
  subject: string;
  message: string;
  _honeypot?: string | undefined;
}

/**
 * Stores a ticket, and emails the customer and the owner. If a bot filled in the hidden form field (honeypot), the
 * request is refused and nothing is stored.
 */
export async function openTicket(
  {
    db,
    clock,
    jobs,
    link,
    ownerEmail,
  }: {
    db: Db;
    clock: Clock;
    jobs: Jobs;
    link: (path: string) => string;
    ownerEmail: () => Promise<string>;
  },
  question: Question,
): Promise<{ ticketNumber: string }> {
  if (question._honeypot) throw new Refusal('honeypot-filled');
  const { kind, name, email, subject, message, phone } = question;
  const id = newId();
  const ticketNumber = createReadableNumber('T');
  const mailAddress = await ownerEmail();
  await db.transaction(async (tx) => {
    await tx.insert(tickets).values({
      id,
      ticketNumber,
      kind,
      status: 'open',
      subject,
      customerName: name,
      customerEmail: email,
      phone: phone || null,
      phoneE164: toInternationalPhone(phone),
      smsConsent: question.smsConsent,
      message,
      createdAt: clock.now(),
    });
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `ticket-received:${id}`,
        to: email,
        content: { kind: 'ticket-received', name, ticketNumber, subject, ticketId: id },
      },
    );
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `owner-ticket:${id}`,
        to: mailAddress,
        content: {
          kind: 'owner-ticket',
          origin: kind,
          ticketNumber,
          customerName: name,
          customerEmail: email,
          phone,
          subject,
          message,
          adminUrl: link(`/admin?tab=support&ticket=${id}`),
        },
      },
    );
  });
  return { ticketNumber };
}

/**
 * Removes the texts and the personal data from a person's tickets, and deletes the answers and the person's emails. The
 * ticket rows stay. Locks a ticket before its answers, as the code that answers a ticket does, to avoid deadlocks.
 * Returns the keys of the attachments, which the caller must delete after the commit.
 */
export async function deleteTicketTextsOf(tx: Db, email: string): Promise<string[]> {
  const erasedTickets = await tx
    .update(tickets)
    .set({
      customerName: 'Deleted account',
      customerEmail: '',
      phone: null,
      phoneE164: null,
      subject: '',
      message: '',
      adminNotes: '',
    })
    .where(sql`lower(${tickets.customerEmail}) = ${email}`)
    .returning({ id: tickets.id });
  const ids = erasedTickets.map((it) => it.id);
  const answerIdsQuery = tx
    .select({ id: ticketAnswers.id })
    .from(ticketAnswers)
    .where(inArray(ticketAnswers.ticketId, ids));
  const messageIdsQuery = tx
    .select({ id: ticketMessages.id })
    .from(ticketMessages)
    .where(inArray(ticketMessages.ticketId, ids));
  const files = await tx
    .delete(ticketFiles)
    .where(or(inArray(ticketFiles.messageId, messageIdsQuery), inArray(ticketFiles.answerId, answerIdsQuery)))
    .returning({ key: ticketFiles.key });
  await tx.delete(ticketAnswers).where(inArray(ticketAnswers.ticketId, ids));
  await tx.delete(ticketMessages).where(inArray(ticketMessages.ticketId, ids));
  return files.map((it) => it.key);
}

/** Deletes old tickets with their answers. */
export const deleteOldTickets = deleteOldRows(tickets, tickets.id, tickets.createdAt);
