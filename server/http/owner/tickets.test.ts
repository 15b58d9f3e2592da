import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { AdminTicket } from '#contract/owner/tickets.ts';
import { sendMail } from '#shop/mail/mail.ts';
import { deleteOldUnsentFiles } from '#shop/support/ticket-messages.ts';
import { deleteOldTickets, deleteTicketTextsOf } from '#shop/support/support.ts';
import { describeOnFastestEngine, describeOnEachEngine, type FreshDatabase } from '#test/database.ts';
import { buyFramesAsAnna, createSmallPhoto } from '#test/people.ts';
import { readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

const question = {
  name: 'Anna Keller',
  email: 'anna@example.com',
  subject: 'My frame sleeps',
  message: 'It does not wake up.',
};

/** A shop in which visitors asked these questions, and its owner's browser. */
async function openShopWithQuestions(fresh: FreshDatabase, ...questions: Partial<typeof question>[]) {
  const testShop = await openTestShop(fresh);
  for (const changedFields of questions) {
    expect((await testShop.browser().post('/api/support-tickets', { ...question, ...changedFields })).status).toBe(200);
    testShop.clock.advance(1000);
  }
  const owner = testShop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const readTickets = async (queryText = '') =>
    (await owner.get(`/api/support-tickets${queryText}`)).json as AdminTicket[];
  return { it: testShop, owner, tickets: readTickets };
}
const readAnswers = async (it: Awaited<ReturnType<typeof openTestShop>>) =>
  (await readQueuedMails(it.shop.db)).filter((mail) => mail.content.kind === 'ticket-answered');

const replyId = (digit: string) => `5b1c2a4e-0f3d-4c6b-9a87-1d2e3f40516${digit}`;

describeOnFastestEngine((fresh) => {
  test('the owner reads tickets by status as an array, newest first, and by search as a list', async () => {
    const { owner, tickets } = await openShopWithQuestions(fresh, {}, { name: 'Ben Ode', subject: 'Another frame' });
    const [second, first] = await tickets();
    expect(first).toEqual({
      id: expect.any(String),
      ticketNumber: expect.stringMatching(/^T-/),
      kind: 'support',
      status: 'open',
      subject: 'My frame sleeps',
      customerName: 'Anna Keller',
      customerEmail: 'anna@example.com',
      phone: null,
      smsConsent: false,
      message: 'It does not wake up.',
      createdAt: expect.stringMatching(/Z$/),
      adminNotes: '',
      answers: [],
      messages: [],
      related: null,
    });
    expect(second!.customerName).toBe('Ben Ode');
    const completedResponse = await owner.call('PATCH', `/api/support-tickets/${first!.id}`, { status: 'completed' });
    expect(completedResponse.json).toEqual({ ...first, status: 'completed' });
    expect((await tickets('?status=open')).map((it) => it.id)).toEqual([second!.id]);
    expect((await tickets('?status=completed')).map((it) => it.id)).toEqual([first!.id]);
    for (const searchText of ['sleeps', 'keller', 'anna@example', first!.ticketNumber]) {
      const page = (await owner.get(`/api/admin/lists/support-tickets?filter=completed&q=${searchText}`)).json;
      expect(page, searchText).toMatchObject({ rows: [{ id: first!.id }], total: 1, next: null });
    }
    expect((await owner.get(`/api/admin/support-tickets/${first!.id}`)).json.status).toBe('completed');
  });

  test('a message from the owner to the customer of an order creates one ticket and one email per key', async () => {
    const { it, owner, tickets } = await openShopWithQuestions(fresh);
    await buyFramesAsAnna(it);
    const [order] = (await owner.get('/api/admin/lists/orders')).json.rows as { id: string; orderNumber: string }[];
    const path = `/api/admin/orders/${order!.id}/messages`;
    const message = { subject: 'Your address', message: 'Is the house number right?', key: crypto.randomUUID() };
    const writtenResponse = await owner.post(path, message);
    expect(writtenResponse.json).toMatchObject({
      kind: 'owner',
      status: 'completed',
      subject: 'Your address',
      customerEmail: 'anna@example.com',
      message: '',
      answers: [{ words: 'Is the house number right?', files: [] }],
    });
    expect((await owner.post(path, message)).json).toEqual(writtenResponse.json);
    const [mail, ...others] = await readAnswers(it);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: 'anna@example.com',
      content: { isFirst: true, orderNumber: order!.orderNumber, answer: 'Is the house number right?' },
    });
    const { order_events: history } = await readAllTables(it.shop.db);
    const ticketNumber = writtenResponse.json.ticketNumber as string;
    expect(history).toContainEqual(
      expect.objectContaining({ kind: 'mail', words: `Email to the customer: ticket ${ticketNumber}.` }),
    );
    expect((await owner.post(path, { ...message, key: crypto.randomUUID() })).status).toBe(200);
    expect(await tickets()).toHaveLength(2);
    for (const wrongValue of [
      { ...message, subject: ' ' },
      { ...message, message: '' },
      { ...message, key: 'x' },
    ])
      expect((await owner.post(path, wrongValue)).status).toBe(400);
    expect((await owner.post('/api/admin/orders/none/messages', message)).status).toBe(404);
  });

  test('a message from the owner to a customer creates a ticket and an email, and is refused with 404 for an unknown customer', async () => {
    const { it, owner } = await openShopWithQuestions(fresh);
    await buyFramesAsAnna(it);
    const [person] = (await owner.get('/api/admin/lists/customers')).json.rows as { id: string }[];
    const message = { subject: 'Your frame', message: 'Did it arrive?', key: crypto.randomUUID() };
    const writtenResponse = await owner.post(`/api/admin/customers/${person!.id}/messages`, message);
    expect(writtenResponse.json).toMatchObject({ kind: 'owner', customerEmail: 'anna@example.com' });
    expect((await readAnswers(it)).map((mail) => mail.content.answer)).toEqual(['Did it arrive?']);
    expect((await owner.post('/api/admin/customers/none/messages', message)).status).toBe(404);
  });

  test('emails an answer with its files once, and only the owner can open the files in the panel', async () => {
    const { it, owner, tickets } = await openShopWithQuestions(fresh, {});
    const [{ id }] = (await tickets()) as [AdminTicket];
    const uploadAttachment = (bytes: Uint8Array<ArrayBuffer>, name: string) => {
      const form = new FormData();
      form.append('file', new Blob([bytes]), name);
      return owner.post('/api/admin/answer-files', form);
    };
    const pdf = new TextEncoder().encode('%PDF-1.4\n%%EOF\n');
    const plan = (await uploadAttachment(pdf, 'plan.pdf')).json as { id: string; url: string };
    const photo = (await uploadAttachment(new Uint8Array(await createSmallPhoto()), 'button.png')).json as {
      id: string;
    };
    expect(plan).toEqual({
      id: plan.id,
      name: 'plan.pdf',
      url: `/ticket-files/${plan.id}`,
      isPicture: false,
      sizeBytes: 15,
    });
    expect((await uploadAttachment(new TextEncoder().encode('MZ'), 'run.exe')).json.code).toBe('answer-file-type');
    expect((await uploadAttachment(new Uint8Array(limits.answerFileBytes + 1), 'big.pdf')).json.code).toBe(
      'answer-file-too-large',
    );
    expect((await owner.post('/api/admin/answer-files', new FormData())).json.code).toBe('answer-file-missing');
    const fileIds = [photo.id, plan.id];
    const path = `/api/admin/support-tickets/${id}/answers`;
    const sentResponse = await owner.post(path, { answer: 'See the plan.', key: crypto.randomUUID(), fileIds });
    expect(sentResponse.json.answers[0].files).toMatchObject([
      { name: 'button.png', isPicture: true },
      { name: 'plan.pdf' },
    ]);
    expect((await readAnswers(it))[0]!.content.files).toMatchObject([
      { name: 'button.png', contentType: 'image/jpeg' },
      { name: 'plan.pdf', contentType: 'application/pdf' },
    ]);
    const repeatedResponse = await owner.post(path, { answer: 'Once more.', key: crypto.randomUUID(), fileIds });
    expect([repeatedResponse.status, repeatedResponse.json.code]).toEqual([409, 'answer-file-gone']);
    expect(await readAnswers(it)).toHaveLength(1);
    expect([(await owner.get(plan.url)).status, (await it.browser().get(plan.url)).status]).toEqual([200, 404]);
    const emails: { files?: { name: string; bytes: Uint8Array }[] | undefined }[] = [];
    const mailer = {
      kind: 'outbox' as const,
      check: async () => {},
      send: async (message: (typeof emails)[0]) => void emails.push(message),
    };
    const [mail] = (await readAllTables(it.shop.db))['mails']!.filter((one) =>
      (one as { event: string }).event.startsWith('ticket-answered:'),
    ) as [{ id: string }];
    await sendMail(
      {
        ...it.shop,
        mailer,
        from: it.shop.config.mailFrom,
        shop: it.shop.readEmailShop,
      },
      mail.id,
    );
    expect(emails[0]!.files!.map((file) => file.name)).toEqual(['button.jpg', 'plan.pdf']);
    expect(Buffer.from(emails[0]!.files![1]!.bytes).equals(Buffer.from(pdf))).toBe(true);
  });

  test('deletes uploaded files after a day unless an answer contains them', async () => {
    const { it, owner, tickets } = await openShopWithQuestions(fresh, {});
    const [{ id }] = (await tickets()) as [AdminTicket];
    const uploadAttachment = async () => {
      const form = new FormData();
      form.append('file', new Blob(['%PDF-1.4\n']), 'plan.pdf');
      return (await owner.post('/api/admin/answer-files', form)).json.id as string;
    };
    const [kept] = [await uploadAttachment(), await uploadAttachment()];
    await owner.post(`/api/admin/support-tickets/${id}/answers`, { answer: 'See it.', fileIds: [kept] });
    const readRemaining = async () =>
      ((await readAllTables(it.shop.db))['ticket_files'] as { id: string }[]).map((file) => file.id);
    await deleteOldUnsentFiles(it.shop.db, new Date(it.clock.now().getTime() - 60_000), 10, it.clock);
    expect(await readRemaining()).toHaveLength(2);
    await deleteOldUnsentFiles(it.shop.db, new Date(it.clock.now().getTime() + 60_000), 10, it.clock);
    expect(await readRemaining()).toEqual([kept]);
  });

  test('saves, changes and deletes saved replies up to a limit, and lists them by title', async () => {
    const { it, owner } = await openShopWithQuestions(fresh);
    const saveReply = (id: string, title: string, words = 'Hello {name}') =>
      owner.put(`/api/admin/saved-replies/${replyId(id)}`, { title, words });
    await saveReply('b', 'restart');
    const bothRepliesResponse = await saveReply('a', 'Address');
    expect(bothRepliesResponse.json).toEqual([
      { id: replyId('a'), title: 'Address', words: 'Hello {name}' },
      { id: replyId('b'), title: 'restart', words: 'Hello {name}' },
    ]);
    expect((await saveReply('b', 'Restart', 'Hold the button.')).json[1]).toEqual({
      id: replyId('b'),
      title: 'Restart',
      words: 'Hold the button.',
    });
    expect((await owner.delete(`/api/admin/saved-replies/${replyId('a')}`)).json).toHaveLength(1);
    expect((await owner.delete(`/api/admin/saved-replies/${replyId('a')}`)).json).toHaveLength(1);
    expect((await saveReply('c', '')).status).toBe(400);
    await it.shop.db.execute(
      sql`insert into saved_replies select 'more-' || n, 'More', 'Words', now() from generate_series(2, ${limits.savedReplies}) n`,
    );
    expect((await saveReply('c', 'One too many')).json.code).toBe('too-many-replies');
    expect((await saveReply('b', 'Still possible')).status).toBe(200);
  });

  test('refuses an unknown filter with an error message', async () => {
    const { owner } = await openShopWithQuestions(fresh);
    const expectRefusal = async (path: string, words: string) =>
      expect((await owner.get(path)).json, path).toMatchObject({ code: 'invalid-request', message: words });
    await expectRefusal('/api/support-tickets?status=closed', 'A ticket is open or completed.');
    await expectRefusal('/api/support-tickets?filter=open', 'This list has no filter named filter.');
    await expectRefusal(
      '/api/admin/lists/support-tickets?filter=closed',
      'This list has no such filter. It has open, completed.',
    );
  });

  test('saves and records notes of a ticket, and refuses invalid notes and status without a change', async () => {
    const { it, owner, tickets } = await openShopWithQuestions(fresh, {});
    const { id } = (await tickets())[0]!;
    const notedResponse = await owner.call('PATCH', `/api/support-tickets/${id}`, { adminNotes: 'Call <b>her</b>' });
    expect(notedResponse.json).toMatchObject({ status: 'open', adminNotes: 'Call <b>her</b>' });
    const tablesBefore = await readAllTables(it.shop.db);
    for (const [body, words] of [
      [{ adminNotes: 'x'.repeat(5001) }, 'Please use at most 5000 characters'],
      [{ status: 'shut' }, 'Please check what you entered and try again.'],
    ] as const) {
      const response = await owner.call('PATCH', `/api/support-tickets/${id}`, body);
      expect([response.status, response.json.message]).toEqual([400, words]);
    }
    expect((await owner.call('PATCH', '/api/support-tickets/none', { status: 'open' })).status).toBe(404);
    expect((await owner.get('/api/admin/support-tickets/none')).status).toBe(404);
    const tablesAfter = await readAllTables(it.shop.db);
    expect([tablesAfter['tickets'], tablesAfter['audit_trail']]).toEqual([
      tablesBefore['tickets'],
      tablesBefore['audit_trail'],
    ]);
    expect(tablesAfter['audit_trail']).toContainEqual(
      expect.objectContaining({
        act: 'edit-ticket',
        subject_id: id,
        before: { status: 'open', adminNotes: '' },
        after: { status: 'open', adminNotes: 'Call <b>her</b>' },
      }),
    );
  });

  test('refuses the second of two conflicting notes on a ticket, and returns both notes with the refusal', async () => {
    const { owner, tickets } = await openShopWithQuestions(fresh, {});
    const path = `/api/support-tickets/${(await tickets())[0]!.id}`;
    await owner.call('PATCH', path, { adminNotes: 'Call her', adminNotesBefore: '' });
    const secondResponse = await owner.call('PATCH', path, { adminNotes: 'Write her', adminNotesBefore: '' });
    expect(secondResponse.json).toMatchObject({
      code: 'notes-changed',
      details: { yours: 'Write her', theirs: 'Call her' },
    });
    expect((await tickets())[0]).toMatchObject({ adminNotes: 'Call her' });
    const chosenResponse = await owner.call('PATCH', path, { adminNotes: 'Write her', adminNotesBefore: 'Call her' });
    expect(chosenResponse.json.adminNotes).toBe('Write her');
  });

  test('emails an answer with its markup escaped, and stores the answer with the ticket', async () => {
    const scriptText = '<script>alert(1)</script> Hold the button.';
    const { it, owner, tickets } = await openShopWithQuestions(fresh, {
      name: '<img src=x onerror=alert(1)>',
      subject: scriptText,
    });
    const { id, ticketNumber } = (await tickets())[0]!;
    const answerRequest = { answer: ` ${scriptText} `, complete: true };
    const answeredResponse = await owner.post(`/api/admin/support-tickets/${id}/answers`, answerRequest);
    expect(answeredResponse.json).toMatchObject({ status: 'completed', answers: [{ words: scriptText }] });
    const [mail] = await readAnswers(it);
    expect(mail).toMatchObject({ to: 'anna@example.com', content: { ticketNumber, answer: scriptText } });
    const message = await it.shop.render({ ...mail!.content, shop: await it.shop.readEmailShop() } as never);
    expect(message.html).not.toMatch(/<script|<img src=x/);
    expect(message.html).toContain('&lt;script&gt;');
    expect((await owner.get('/api/admin/support-tickets/none')).status).toBe(404);
    expect((await owner.post('/api/admin/support-tickets/none/answers', answerRequest)).status).toBe(404);
    const emptyResponse = await owner.post(`/api/admin/support-tickets/${id}/answers`, { answer: ' ' });
    expect([emptyResponse.status, emptyResponse.json.message]).toEqual([400, 'Please write your answer first']);
    expect(await readAnswers(it)).toHaveLength(1);
  });

  test('refuses everyone except the owner to read, edit and answer tickets', async () => {
    const { it, tickets } = await openShopWithQuestions(fresh, {});
    const { id } = (await tickets())[0]!;
    const stranger = it.browser();
    const tablesBefore = await readAllTables(it.shop.db);
    for (const path of ['/api/support-tickets', '/api/admin/lists/support-tickets', `/api/admin/support-tickets/${id}`])
      expect((await stranger.get(path)).json.code, path).toBe('admin-needed');
    const uploadResponses = [
      await stranger.call('PATCH', `/api/support-tickets/${id}`, { status: 'completed' }),
      await stranger.post(`/api/admin/support-tickets/${id}/answers`, { answer: 'Go away.' }),
    ];
    for (const response of uploadResponses)
      expect([response.status, response.json.code]).toEqual([401, 'admin-needed']);
    expect(await readAllTables(it.shop.db)).toEqual(tablesBefore);
  });

  test('deletes the texts of a deleted account’s tickets, and refuses to answer these tickets', async () => {
    const { it, owner, tickets } = await openShopWithQuestions(fresh, {}, { email: 'ben@example.com' });
    const [bens, annas] = await tickets();
    for (const { id } of [bens!, annas!])
      await owner.post(`/api/admin/support-tickets/${id}/answers`, { answer: 'Dear Anna, hold the button.' });
    await deleteTicketTextsOf(it.shop.db, 'anna@example.com');
    expect((await tickets()).map((it) => [it.customerEmail, it.answers.length])).toEqual([
      ['ben@example.com', 1],
      ['', 0],
    ]);
    const refusedResponse = await owner.post(`/api/admin/support-tickets/${annas!.id}/answers`, { answer: 'Hello?' });
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([409, 'no-email-to-answer']);
    // Retention deletes an old ticket together with its answers.
    const oneSecondLater = new Date(it.clock.now().getTime() + 1000);
    expect(await deleteOldTickets(it.shop.db, oneSecondLater, 10, it.clock)).toBe(2);
    expect((await readAllTables(it.shop.db))['ticket_answers']).toEqual([]);
  });
});

describeOnEachEngine((fresh) => {
  test('stores and emails an answer only once if the request is sent several times with the same key', async () => {
    const { it, owner, tickets } = await openShopWithQuestions(fresh, {});
    const { id } = (await tickets())[0]!;
    const answer = { answer: 'Hold the button.', key: crypto.randomUUID() };
    const answerResponses = await Promise.all(
      [1, 2, 3].map(() => owner.post(`/api/admin/support-tickets/${id}/answers`, answer)),
    );
    expect(answerResponses.map((it) => it.status)).toEqual([200, 200, 200]);
    expect((await tickets())[0]!.answers).toHaveLength(1);
    expect(await readAnswers(it)).toHaveLength(1);
    await owner.post(`/api/admin/support-tickets/${id}/answers`, { ...answer, key: crypto.randomUUID() });
    expect(await readAnswers(it)).toHaveLength(2);
    const { rows } = await it.shop.db.execute<{ acts: number }>(
      sql`select count(*)::int as acts from audit_trail where act = 'answer-ticket'`,
    );
    expect(rows).toEqual([{ acts: 2 }]);
  });
});
