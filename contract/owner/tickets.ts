import * as z from 'zod';
import { listResponseSchema, listQuerySchema, listRefusals } from '#contract/lists.ts';
import type { Operations } from '#contract/operation.ts';
import { photoRefusals } from '#contract/photos.ts';
import { AnswerBody, MessageBody, SavedReplyForm, ticketNotes } from '#contract/support-forms.ts';

const id = z.object({ id: z.string().max(64) });

export const ticketStatuses = ['open', 'completed'] as const;
/** An attachment, which only roles with the area `support` can open here. */
export const TicketFile = z
  .object({ id: z.string(), name: z.string(), url: z.string(), isPicture: z.boolean(), sizeBytes: z.int() })
  .meta({ id: 'TicketFile' });
export type TicketFile = z.infer<typeof TicketFile>;

export const AdminTicket = z
  .object({
    id: z.string(),
    ticketNumber: z.string(),
    /** From the support form, the contact form, an email, or begun by the owner. */
    kind: z.enum(['support', 'contact', 'mail', 'owner']),
    status: z.enum(ticketStatuses),
    subject: z.string(),
    customerName: z.string(),
    /** Empty after its account is deleted. Then the ticket cannot be answered. */
    customerEmail: z.string(),
    phone: z.string().nullable(),
    smsConsent: z.boolean(),
    message: z.string(),
    createdAt: z.iso.datetime(),
    /** Only roles with the area `support` can read these. */
    adminNotes: z.string(),
    /** Answers sent by email, oldest first. */
    answers: z.array(
      z.object({ id: z.string(), words: z.string(), answeredAt: z.iso.datetime(), files: z.array(TicketFile) }),
    ),
    /** The customer's emails, oldest first. The first one of a ticket of the kind `mail` has the text of `message`. */
    messages: z.array(
      z.object({
        id: z.string(),
        fromName: z.string(),
        fromEmail: z.string(),
        words: z.string(),
        /** The quoted earlier emails below the text. */
        quoted: z.string(),
        /** Why the text is missing. */
        problem: z.enum(['too-large', 'unreadable']).nullable(),
        receivedAt: z.iso.datetime(),
        files: z.array(TicketFile),
        /** The names of attachments that the shop did not keep. */
        leftOut: z.array(z.string()),
      }),
    ),
    /** The ticket to whose reply address this email came from another sender. */
    related: z.object({ id: z.string(), ticketNumber: z.string() }).nullable(),
  })
  .meta({ id: 'AdminTicket' });
export type AdminTicket = z.infer<typeof AdminTicket>;

export const SavedReply = z.object({ id: z.string(), title: z.string(), words: z.string() }).meta({ id: 'SavedReply' });
export type SavedReply = z.infer<typeof SavedReply>;

export const ticketSorts = ['date'] as const;
export const ticketsQuery = listQuerySchema({ sorts: ticketSorts, filters: ticketStatuses });

export const ownerTickets = {
  'GET /api/support-tickets': {
    summary: 'List support tickets, newest first; the Link header names the next page',
    who: 'admin',
    area: 'support',
    query: ticketsQuery.omit({ filter: true }).extend({
      status: z.enum(ticketStatuses, 'A ticket is open or completed.').optional(),
    }),
    response: z.array(AdminTicket),
    refusals: listRefusals,
  },
  'GET /api/admin/lists/support-tickets': {
    summary: 'Read a page of support tickets: searched by number, name, email and subject, filtered by status',
    who: 'admin',
    area: 'support',
    query: ticketsQuery,
    response: listResponseSchema(AdminTicket),
    refusals: listRefusals,
  },
  'GET /api/admin/support-tickets/:id': {
    summary: 'Read one support ticket',
    who: 'admin',
    area: 'support',
    params: id,
    response: AdminTicket,
    refusals: ['not-found'],
  },
  'PATCH /api/support-tickets/:id': {
    summary: 'Change a ticket’s status or the owner’s notes',
    who: 'admin',
    area: 'support',
    params: id,
    body: z.object({
      status: z.enum(ticketStatuses).optional(),
      adminNotes: z.optional(ticketNotes),
      /**
       * The notes when the edit began. If they have changed since, `theirs` in the refusal contains the current notes.
       */
      adminNotesBefore: z.optional(ticketNotes),
    }),
    response: AdminTicket,
    refusals: ['not-found', 'notes-changed'],
  },
  'POST /api/admin/support-tickets/:id/answers': {
    summary: 'Answer a ticket by email, and complete it on request; a repeated key does not send a second answer',
    who: 'admin',
    area: 'support',
    params: id,
    body: AnswerBody,
    response: AdminTicket,
    refusals: ['not-found', 'no-email-to-answer', 'answer-file-gone'],
  },
  'POST /api/admin/orders/:id/messages': {
    summary:
      'Email the customer of an order and store the email as a completed ticket; a repeated key sends no second email',
    who: 'admin',
    area: 'support',
    params: id,
    body: MessageBody,
    response: AdminTicket,
    refusals: ['not-found', 'no-email-to-answer', 'answer-file-gone'],
  },
  'POST /api/admin/customers/:id/messages': {
    summary: 'Email a customer and store the email as a completed ticket; a repeated key sends no second email',
    who: 'admin',
    area: 'support',
    params: id,
    body: MessageBody,
    response: AdminTicket,
    refusals: ['not-found', 'no-email-to-answer', 'answer-file-gone'],
  },
  'POST /api/admin/answer-files': {
    summary:
      'Upload a PDF or an image for an answer (part: file); it is deleted after a day unless an answer contains it',
    who: 'admin',
    area: 'support',
    multipart: true,
    response: TicketFile,
    refusals: ['answer-file-missing', 'answer-file-type', 'answer-file-too-large', ...photoRefusals],
  },
  'GET /api/admin/saved-replies': {
    summary: 'List the saved replies by title',
    who: 'admin',
    area: 'support',
    response: z.array(SavedReply),
  },
  'PUT /api/admin/saved-replies/:id': {
    summary: 'Save a reply under an id that the panel chooses',
    who: 'admin',
    area: 'support',
    params: z.object({ id: z.uuid() }),
    body: SavedReplyForm,
    response: z.array(SavedReply),
    refusals: ['too-many-replies'],
  },
  'DELETE /api/admin/saved-replies/:id': {
    summary: 'Delete a saved reply; without one, nothing changes',
    who: 'admin',
    area: 'support',
    params: z.object({ id: z.uuid() }),
    response: z.array(SavedReply),
  },
} satisfies Operations;
