import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import type { AdminTicket } from '#contract/owner/tickets.ts';
import { limits } from '#contract/limits.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { describeOnFastestEngine, describeOnPostgres, type FreshDatabase } from '#test/database.ts';
import { makeMail, createMultipart } from '#test/inbound-mail.ts';
import { createSmallPhoto } from '#test/people.ts';
import { countRows, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';

const env = { INBOUND_MAIL: 'support@kinframe.example', INBOUND_WEBHOOK_SECRET: 'a-secret-of-the-mail-service' };
const basicHeader = (password: string) => `Basic ${Buffer.from(`mail:${password}`).toString('base64')}`;
const authorization = basicHeader(env.INBOUND_WEBHOOK_SECRET);
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');

const deliverMail = (it: TestShop, mail: Buffer, headers: Record<string, string> = {}) =>
  it.app.inject({
    method: 'POST',
    url: '/api/webhooks/mail',
    headers: { 'content-type': 'message/rfc822', authorization, ...headers },
    payload: mail,
  });
const deliverAndReadOutcome = async (it: TestShop, mail: Buffer) =>
  (await deliverMail(it, mail)).json().outcome as string;

/** A shop with a question of Anna, its owner's browser, and the reply address in the email that Anna got. */
async function openShopWithQuestion(fresh: FreshDatabase) {
  const sentMails: { to: string; replyTo?: string | undefined; text: string }[] = [];
  const mailer = {
    kind: 'outbox' as const,
    check: async () => {},
    send: async (message: (typeof sentMails)[0]) => void sentMails.push(message),
  };
  const testShop = await openTestShop(fresh, { env, mailer });
  await startJobs(testShop.shop);
  const question = {
    name: 'Anna Keller',
    email: 'anna@example.com',
    subject: 'My frame',
    message: 'It does not wake up.',
  };
  await testShop.browser().post('/api/support-tickets', question);
  const message = await vi.waitFor(() => {
    const foundMail = sentMails.find(({ to }) => to === 'anna@example.com');
    expect(foundMail).toBeDefined();
    return foundMail!;
  }, 10_000);
  const owner = testShop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const readTickets = async () => (await owner.get('/api/support-tickets')).json as AdminTicket[];
  return { it: testShop, owner, tickets: readTickets, message, replyAddress: message.replyTo! };
}

async function openShopWithOwner(fresh: FreshDatabase) {
  const testShop = await openTestShop(fresh, { env });
  const owner = testShop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const readTickets = async () => (await owner.get('/api/support-tickets')).json as AdminTicket[];
  return { it: testShop, owner, tickets: readTickets };
}

describeOnFastestEngine((fresh) => {
  test('an email to a ticket’s reply address is added to the ticket, reopens the ticket and is emailed to the owner', async () => {
    const { it, owner, tickets, message, replyAddress } = await openShopWithQuestion(fresh);
    expect(replyAddress).toMatch(/^support\+[0-9a-f]{32}@kinframe\.example$/);
    expect(message.text).toContain('reply to this email');
    const [{ id }] = (await tickets()) as [AdminTicket];
    await owner.call('PATCH', `/api/support-tickets/${id}`, { status: 'completed' });
    const answer = makeMail({
      to: `Kinframe <${replyAddress.toUpperCase()}>`,
      from: 'Anna <Anna@Example.com>',
      subject: 'Re: We have your message',
      content:
        'Content-Type: text/plain; charset=utf-8\n\nNow it works!\n\nOn Monday, Kinframe <a@b.example> wrote:\n> We have your message',
    });
    expect(await deliverAndReadOutcome(it, answer)).toBe('joined');
    expect(await deliverAndReadOutcome(it, answer)).toBe('duplicate');
    const [ticket, ...others] = await tickets();
    expect(others).toEqual([]);
    expect(ticket).toMatchObject({ id, status: 'open', related: null });
    expect(ticket!.messages).toEqual([
      {
        id: expect.any(String),
        fromName: 'Anna',
        fromEmail: 'anna@example.com',
        words: 'Now it works!',
        quoted: 'On Monday, Kinframe <a@b.example> wrote:\n> We have your message',
        problem: null,
        receivedAt: expect.stringMatching(/Z$/),
        files: [],
        leftOut: [],
      },
    ]);
    const mailToOwner = (await readQueuedMails(it.shop.db, 'owner-ticket:')).at(-1)!;
    expect(mailToOwner.content).toMatchObject({ origin: 'mail', message: 'Now it works!', subject: 'My frame' });
    // No automatic answer to an answer.
    expect(await readQueuedMails(it.shop.db, 'ticket-received:')).toHaveLength(1);
  });

  test('an email from another sender to a reply address becomes a new ticket that names the ticket of that address', async () => {
    const { it, tickets, replyAddress } = await openShopWithQuestion(fresh);
    expect(await deliverAndReadOutcome(it, makeMail({ to: replyAddress, from: 'eve@example.com' }))).toBe('new-ticket');
    const [other, first] = await tickets();
    expect(first!.messages).toEqual([]);
    expect(other).toMatchObject({
      kind: 'mail',
      customerEmail: 'eve@example.com',
      related: { id: first!.id, ticketNumber: first!.ticketNumber },
    });
  });

  test('an email with a forged reply token becomes a new ticket, even if its sender has a ticket', async () => {
    const { it, tickets, replyAddress } = await openShopWithQuestion(fresh);
    const forgedAddress = replyAddress.replace(/\+.{32}/, `+${'0'.repeat(32)}`);
    expect(await deliverAndReadOutcome(it, makeMail({ to: forgedAddress }))).toBe('new-ticket');
    const [other, first] = await tickets();
    expect([other!.related, first!.messages]).toEqual([null, []]);
  });

  test('an email with a ticket number in its subject becomes a new ticket that names that number', async () => {
    const { it, tickets } = await openShopWithQuestion(fresh);
    const [{ id, ticketNumber }] = (await tickets()) as [AdminTicket];
    // The sender can be forged, and everyone who got a forwarded email knows the number.
    expect(await deliverAndReadOutcome(it, makeMail({ subject: `Re: (${ticketNumber})` }))).toBe('new-ticket');
    const [other, first] = await tickets();
    expect([other!.related, first!.messages]).toEqual([{ id, ticketNumber }, []]);
  });

  test('stores plain text from HTML, other character sets and nested parts', async () => {
    const { it, tickets } = await openShopWithOwner(fresh);
    const html =
      '<style>p{color:red}</style><p>Hello <b>you</b>,</p><script>alert(1)</script><p>see <a href="https://example.com/a">this page</a><img src="https://tracker.example/x.gif"></p>';
    await deliverMail(it, makeMail({ subject: 'HTML', content: `Content-Type: text/html; charset=utf-8\n\n${html}` }));
    it.clock.advance(1000);
    const umlauts =
      'Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\nGr\u00fc\u00dfe aus K\u00f6ln';
    await deliverMail(it, makeMail({ subject: '=?utf-8?B?R3LDvMOfZQ==?=', content: umlauts }));
    it.clock.advance(1000);
    const alternative =
      'Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\nPlain\n--b\nContent-Type: text/html\n\n<p>Rich</p>\n--b--\n';
    await deliverMail(it, makeMail({ subject: '', content: alternative }));
    const texts = (await tickets()).map(({ subject, message }) => [subject, message]).toReversed();
    expect(texts).toEqual([
      ['HTML', 'Hello you,\n\nsee this page [https://example.com/a]'],
      ['Grüße', 'Grüße aus Köln'],
      ['No subject', 'Plain'],
    ]);
  });

  test('stores pictures and PDFs, which only the owner can open, and lists the names of other files', async () => {
    const { it, owner, tickets } = await openShopWithOwner(fresh);
    const files = [
      { name: 'frame.jpg', type: 'image/jpeg', bytes: Buffer.from(await createSmallPhoto()) },
      { name: '../../bill.pdf', type: 'application/pdf', bytes: pdf },
      { name: 'run.exe', type: 'image/jpeg', bytes: Buffer.from('MZ this is a program') },
      { name: 'page.html', type: 'text/html', bytes: Buffer.from('<script>alert(1)</script>') },
    ];
    expect(await deliverAndReadOutcome(it, makeMail({ content: createMultipart('See the photo', files) }))).toBe(
      'new-ticket',
    );
    const [{ messages }] = (await tickets()) as [AdminTicket];
    const [picture, bill, ...more] = messages[0]!.files;
    expect(more).toEqual([]);
    expect(messages[0]).toMatchObject({ words: 'See the photo', leftOut: ['run.exe', 'page.html'] });
    expect([picture!.isPicture, picture!.name, bill!.isPicture, bill!.name]).toEqual([
      true,
      'frame.jpg',
      false,
      '.. .. bill.pdf',
    ]);
    const shownResponse = await owner.get(picture!.url);
    expect([
      shownResponse.status,
      shownResponse.headers['content-type'],
      shownResponse.headers['content-security-policy'],
    ]).toEqual([200, 'image/jpeg', expect.stringContaining('sandbox')]);
    const downloadResponse = await owner.get(bill!.url);
    expect([downloadResponse.status, downloadResponse.headers['content-disposition']]).toEqual([
      200,
      expect.stringContaining('attachment'),
    ]);
    for (const { url } of [picture!, bill!]) expect((await it.browser().get(url)).status).toBe(404);
  });

  test('stores every valid picture of an email, even if another picture is damaged', async () => {
    const { it, owner, tickets } = await openShopWithOwner(fresh);
    const [first, second] = [await createSmallPhoto(), await createSmallPhoto()].map((bytes) => Buffer.from(bytes));
    const files = [
      { name: 'one.jpg', type: 'image/jpeg', bytes: first! },
      { name: 'two.jpg', type: 'image/jpeg', bytes: second! },
      { name: 'broken.jpg', type: 'image/jpeg', bytes: first!.subarray(0, 200) },
    ];
    expect(await deliverAndReadOutcome(it, makeMail({ content: createMultipart('Two photos', files) }))).toBe(
      'new-ticket',
    );
    const [{ messages }] = (await tickets()) as [AdminTicket];
    expect(messages[0]).toMatchObject({ leftOut: ['broken.jpg'], files: [{ name: 'one.jpg' }, { name: 'two.jpg' }] });
    const [one, two] = await Promise.all(messages[0]!.files.map(async ({ url }) => (await owner.get(url)).text));
    expect(one).not.toBe(two);
  });

  test('stores an email whose subject and file name are cut inside an emoji', async () => {
    const { it, tickets } = await openShopWithOwner(fresh);
    const subject = `${'s'.repeat(199)}😀`;
    const encodedSubject = `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`;
    const files = [{ name: `${'f'.repeat(99)}😀.exe`, type: 'application/x-msdownload', bytes: Buffer.from('MZ') }];
    const mail = makeMail({ subject: encodedSubject, content: createMultipart('Hello', files) });
    expect(await deliverAndReadOutcome(it, mail)).toBe('new-ticket');
    expect((await tickets())[0]!.subject).toContain('s'.repeat(199));
  });

  test('ignores automatic emails, mailing lists and the shop’s own emails, and answers none of them', async () => {
    const { it, tickets, replyAddress } = await openShopWithQuestion(fresh);
    const countBefore = await countRows(it.shop.db, 'mails');
    for (const mail of [
      makeMail({ to: replyAddress, headers: ['Auto-Submitted: auto-replied'] }),
      makeMail({ to: replyAddress, headers: ['Return-Path: <>'] }),
      makeMail({ to: replyAddress, from: 'hello@kinframe.example' }),
      makeMail({ to: replyAddress, from: 'support@kinframe.example' }),
      makeMail({ from: replyAddress }),
      makeMail({ headers: ['List-Id: <news.example.com>'], from: 'news@example.com' }),
      makeMail({ headers: ['Precedence: bulk'], from: 'news@example.com' }),
    ])
      expect(await deliverAndReadOutcome(it, mail)).toBe('ignored');
    expect([(await tickets()).length, await countRows(it.shop.db, 'mails')]).toEqual([1, countBefore]);
    // A mailing list may pass on an answer.
    expect(await deliverAndReadOutcome(it, makeMail({ to: replyAddress, headers: ['Precedence: list'] }))).toBe(
      'joined',
    );
  });

  test('sends one address at most three receipts a day, and none to a sender that refuses them', async () => {
    const { it, tickets } = await openShopWithOwner(fresh);
    const suppressedMail = makeMail({ headers: ['X-Auto-Response-Suppress: All'] });
    expect(await deliverAndReadOutcome(it, suppressedMail)).toBe('new-ticket');
    expect(await readQueuedMails(it.shop.db, 'ticket-received:')).toEqual([]);
    for (let sentMails = 0; sentMails < limits.inboundReceipts + 2; sentMails++)
      expect(await deliverAndReadOutcome(it, makeMail())).toBe('new-ticket');
    expect(await readQueuedMails(it.shop.db, 'ticket-received:')).toHaveLength(limits.inboundReceipts);
    expect(await tickets()).toHaveLength(limits.inboundReceipts + 3);
  });

  test('defers emails from a sender over the limit, and stores them an hour later', async () => {
    const { it } = await openShopWithOwner(fresh);
    await deliverMail(it, makeMail());
    await it.shop.db.execute(sql`
      insert into ticket_messages (id, ticket_id, from_name, from_email, words, quoted, left_out, received_at)
      select gen_random_uuid(), ticket_id, from_name, from_email, words, quoted, left_out, received_at
      from ticket_messages, generate_series(2, ${limits.inboundMailsOfSender})`);
    const nextMail = makeMail();
    const deferredResponse = await deliverMail(it, nextMail);
    expect([deferredResponse.statusCode, deferredResponse.json().code]).toEqual([503, 'unavailable']);
    expect(await deliverAndReadOutcome(it, makeMail({ from: 'ben@example.com' }))).toBe('new-ticket');
    it.clock.advance(3_600_000);
    expect(await deliverAndReadOutcome(it, nextMail)).toBe('new-ticket');
  });

  test('refuses 50 MB in every format, and stores nothing', async () => {
    const { it } = await openShopWithOwner(fresh);
    const hugeMail = Buffer.concat([makeMail(), Buffer.alloc(50 * 1024 * 1024, 'x')]);
    expect((await deliverMail(it, hugeMail)).statusCode).toBe(413);
    const form = new FormData();
    form.append('email', hugeMail.toString('latin1'));
    expect((await it.browser().post('/api/webhooks/mail', form, { authorization })).status).toBe(413);
    const jsonResponse = await it
      .browser()
      .post('/api/webhooks/mail', { RawEmail: hugeMail.toString('latin1') }, { authorization });
    expect(jsonResponse.status).toBe(413);
    expect([await countRows(it.shop.db, 'tickets'), await countRows(it.shop.db, 'inbound_mails')]).toEqual([0, 0]);
  });

  test('reads the formats of SendGrid and Postmark, with the recipient that they name', async () => {
    const { it, tickets, replyAddress } = await openShopWithQuestion(fresh);
    const mailWithId = (messageId: string) =>
      makeMail({ messageId, to: 'undisclosed-recipients:;' }).toString('latin1');
    const form = new FormData();
    form.append('envelope', JSON.stringify({ to: [replyAddress], from: 'anna@example.com' }));
    form.append('email', mailWithId('<sendgrid@example.com>'));
    const sendGridResponse = await it.browser().post('/api/webhooks/mail', form, { authorization });
    expect(sendGridResponse.json).toEqual({ outcome: 'joined' });
    const body = {
      RawEmail: mailWithId('<postmark@example.com>'),
      OriginalRecipient: replyAddress,
      TextBody: 'ignored',
    };
    expect((await it.browser().post('/api/webhooks/mail', body, { authorization })).json).toEqual({
      outcome: 'joined',
    });
    expect((await tickets())[0]!.messages.map((one) => one.words)).toEqual([
      'It does not wake up.',
      'It does not wake up.',
    ]);
  });

  test('refuses a wrong password, a body of another format, and every call if the webhook is off', async () => {
    const { it } = await openShopWithOwner(fresh);
    for (const headers of [
      { authorization: basicHeader('wrong') },
      { authorization: '' },
      { authorization: 'Bearer x' },
    ])
      expect((await deliverMail(it, makeMail(), headers)).statusCode).toBe(400);
    for (const body of [{}, { RawEmail: 7 }, 'no json'])
      expect((await it.browser().post('/api/webhooks/mail', body, { authorization })).status).toBe(400);
    expect((await it.browser().post('/api/webhooks/mail', new FormData(), { authorization })).status).toBe(400);
    expect(await countRows(it.shop.db, 'inbound_mails')).toBe(0);
    const disabledShop = await openTestShop(fresh);
    expect((await deliverMail(disabledShop, makeMail())).statusCode).toBe(404);
  });

  test('stores broken MIME as far as it can be read, and ignores an email without a sender', async () => {
    const { it, tickets } = await openShopWithOwner(fresh);
    const brokenMime = 'Content-Type: multipart/mixed; boundary="never"\n\n--other\nno parts at all \u0000\u0007';
    expect(await deliverAndReadOutcome(it, makeMail({ content: brokenMime }))).toBe('new-ticket');
    expect(await deliverAndReadOutcome(it, Buffer.from('\u0000\u00ff\r\n\r\nnothing', 'latin1'))).toBe('ignored');
    expect(await deliverAndReadOutcome(it, makeMail({ from: 'not an address', messageId: '' }))).toBe('ignored');
    expect(await tickets()).toHaveLength(1);
  });

  test('without a reply domain, answers to emails about tickets go to the contact address, and the text asks for the ticket number', async () => {
    const sentMails: { to: string; replyTo?: string | undefined; text: string }[] = [];
    const mailer = {
      kind: 'outbox' as const,
      check: async () => {},
      send: async (message: (typeof sentMails)[0]) => void sentMails.push(message),
    };
    const testShop = await openTestShop(fresh, { mailer });
    await startJobs(testShop.shop);
    const question = { name: 'Anna', email: 'anna@example.com', subject: 'My frame', message: 'It does not wake up.' };
    await testShop.browser().post('/api/support-tickets', question);
    const message = await vi.waitFor(() => {
      const foundMail = sentMails.find(({ to }) => to === 'anna@example.com');
      expect(foundMail).toBeDefined();
      return foundMail!;
    }, 10_000);
    expect(message.replyTo).toBe('support@kinframe.example');
    expect(message.text).toContain('include the number');
    expect(await countRows(testShop.shop.db, 'tokens')).toBe(0);
  });
});

describeOnPostgres((fresh) => {
  test('stores an email once when it is delivered several times at once', async () => {
    const { it, tickets } = await openShopWithOwner(fresh);
    const mail = makeMail();
    const responses = await Promise.all([deliverMail(it, mail), deliverMail(it, mail)]);
    expect(responses.map((answer): string => answer.json().outcome).toSorted()).toEqual(['duplicate', 'new-ticket']);
    expect(await tickets()).toHaveLength(1);
  });
});
