import { limits } from '#contract/limits.ts';
import type { AdminTicket } from '#contract/owner/tickets.ts';
import { Refusal } from '#contract/refusals.ts';
import { uploadAnswerFile } from '#shop/correspondence/attachments.ts';
import { sanitizedFileName } from '#shop/photos/add-photo.ts';
import type { Db } from '#shop/ports/database.ts';
import {
  readAnswersOfTickets,
  answerTicket,
  editTicket,
  listTickets,
  findTicketById,
  type Ticket,
  type TicketAnswer,
} from '#shop/support/tickets.ts';
import { deleteReply, listSavedReplies, saveReply } from '#shop/support/saved-replies.ts';
import { writeAboutOrder, writeToCustomer } from '#shop/people/write-to-customer.ts';
import {
  readFilesOfAnswers,
  readMessagesOf,
  readTicketNumbersOf,
  type TicketFile,
  type TicketMessage,
} from '#shop/support/ticket-messages.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { readRowsAndSetNextLink } from '../common/list-link.ts';
import { receiveForm, type FormRules } from '../common/multipart.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerTicketRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;

  const readPage = async (query: Parameters<typeof listTickets>[1]) => {
    const ticketsPage = await listTickets(db, query);
    return { ...ticketsPage, rows: await createTicketViews(db, ticketsPage.rows) };
  };
  mountOperation(app, 'GET /api/support-tickets', (call) =>
    readRowsAndSetNextLink(call, ({ status, ...query }: typeof call.query) => readPage({ ...query, filter: status })),
  );
  mountOperation(app, 'GET /api/admin/lists/support-tickets', ({ query }) => readPage(query));

  const readView = async (id: string) => (await createTicketViews(db, [await findTicketById(db, id)]))[0]!;
  mountOperation(app, 'GET /api/admin/support-tickets/:id', ({ params }) => readView(params.id));

  mountOperation(app, 'PATCH /api/support-tickets/:id', async ({ params, body, request }) => {
    await editTicket(shop, params.id, body, getAuditAuthor(request));
    return readView(params.id);
  });

  mountOperation(app, 'POST /api/admin/support-tickets/:id/answers', async ({ params, body, request }) => {
    await answerTicket(shop, params.id, body, getAuditAuthor(request));
    return readView(params.id);
  });

  mountOperation(app, 'POST /api/admin/orders/:id/messages', async ({ params, body, request }) =>
    readView(await writeAboutOrder(shop, params.id, body, getAuditAuthor(request))),
  );
  mountOperation(app, 'POST /api/admin/customers/:id/messages', async ({ params, body, request }) =>
    readView(await writeToCustomer(shop, params.id, body, getAuditAuthor(request))),
  );

  const form: FormRules = {
    workFolder: shop.workFolder,
    fileFields: ['file'],
    fileBytes: limits.answerFileBytes,
    noForm: 'answer-file-missing',
    tooLarge: () => new Refusal('answer-file-too-large'),
  };
  mountOperation(app, 'POST /api/admin/answer-files', ({ request }) =>
    receiveForm(request, form, async ({ files }) => {
      const file = files['file'];
      if (!file) throw new Refusal('answer-file-missing');
      return fileView(
        await uploadAnswerFile(shop, { ...file, name: sanitizedFileName(file.name) }, getAuditAuthor(request)),
      );
    }),
  );

  mountOperation(app, 'GET /api/admin/saved-replies', () => listSavedReplies(db));
  mountOperation(app, 'PUT /api/admin/saved-replies/:id', async ({ params, body, request }) => {
    await saveReply(shop, params.id, body, getAuditAuthor(request));
    return listSavedReplies(db);
  });
  mountOperation(app, 'DELETE /api/admin/saved-replies/:id', async ({ params, request }) => {
    await deleteReply(shop, params.id, getAuditAuthor(request));
    return listSavedReplies(db);
  });
}

async function createTicketViews(db: Db, tickets: Ticket[]): Promise<AdminTicket[]> {
  const answers = await readAnswersOfTickets(
    db,
    tickets.map((it) => it.id),
  );
  const files = await readFilesOfAnswers(
    db,
    answers.map((it) => it.id),
  );
  const messages = await readMessagesOf(
    db,
    tickets.map((it) => it.id),
  );
  const ticketNumbers = await readTicketNumbersOf(
    db,
    tickets.flatMap((it) => it.relatedTicketId ?? []),
  );
  const answersByTicket = Map.groupBy(answers, (it) => it.ticketId);
  const messagesByTicket = Map.groupBy(messages, (it) => it.ticketId);
  return tickets.map(({ createdAt, relatedTicketId, ...ticket }) => ({
    ...ticket,
    createdAt: createdAt.toISOString(),
    answers: (answersByTicket.get(ticket.id) ?? []).map((it) => answerView(it, files)),
    messages: (messagesByTicket.get(ticket.id) ?? []).map(messageView),
    related: relatedTicketId === null ? null : relatedTicketView(relatedTicketId, ticketNumbers),
  }));
}

const relatedTicketView = (id: string, numbers: Map<string, string>) => ({ id, ticketNumber: numbers.get(id) ?? '' });

const messageView = ({ files, receivedAt, ticketId: _, ...message }: TicketMessage) => ({
  ...message,
  receivedAt: receivedAt.toISOString(),
  files: files.map(fileView),
});

const fileView = ({ id, name, contentType, sizeBytes }: TicketFile) => ({
  id,
  name,
  url: `/ticket-files/${id}`,
  isPicture: contentType.startsWith('image/'),
  sizeBytes,
});

const answerView = ({ id, words, answeredAt }: TicketAnswer, files: TicketFile[]) => ({
  id,
  words,
  answeredAt: answeredAt.toISOString(),
  files: files.filter((it) => it.answerId === id).map(fileView),
});
