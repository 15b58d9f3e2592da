import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { openTestShop } from '#test/shop.ts';

const question = {
  name: 'Anna Keller',
  email: ' Anna@Example.com',
  subject: 'My frame',
  message: 'It does not wake up.',
};

describeOnFastestEngine((fresh) => {
  test('stores a question with a ticket number, and emails the customer and the owner', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    const createResponse = await visitor.post('/api/support-tickets', { ...question, smsConsent: true, phone: '555' });
    const contactResponse = await visitor.post('/api/support-tickets', { ...question, kind: 'contact' });
    const ticketNumbers = [createResponse, contactResponse].map((answer) => answer.json.ticket.ticketNumber as string);
    for (const number of ticketNumbers) expect(number).toMatch(/^T-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
    expect(new Set(ticketNumbers).size).toBe(2);
    const { tickets } = await readAllTables(testShop.shop.db);
    expect(tickets).toHaveLength(2);
    expect(tickets).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'support',
          status: 'open',
          customer_email: 'anna@example.com',
          sms_consent: true,
          phone: '555',
        }),
        expect.objectContaining({ kind: 'contact', sms_consent: false, phone: null }),
      ]),
    );
    const mails = await readQueuedMails(testShop.shop.db);
    expect(mails.map((mail) => `${mail.to} ${mail.content.kind}`).toSorted()).toEqual([
      'anna@example.com ticket-received',
      'anna@example.com ticket-received',
      'support@kinframe.example owner-ticket',
      'support@kinframe.example owner-ticket',
    ]);
    const contentsToOwner = mails.flatMap(({ content }) => (content.kind === 'owner-ticket' ? [content] : []));
    const ids = new Map((tickets as Record<string, unknown>[]).map((it) => [it['ticket_number'], it['id']]));
    expect(contentsToOwner.map((it) => new URL(it.adminUrl).searchParams.get('ticket'))).toEqual(
      contentsToOwner.map((it) => ids.get(it.ticketNumber)),
    );
  });

  test('stores a phone number as typed and as E.164, and a non-ASCII email domain as ASCII', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    const typedQuestion = { ...question, email: ' Anna@München.de\u200b', phone: '\u200b(207) 555–0142 ext. 5' };
    expect((await visitor.post('/api/support-tickets', typedQuestion)).status).toBe(200);
    const refusedResponse = await visitor.post('/api/support-tickets', { ...question, email: 'änna@example.com' });
    expect([refusedResponse.status, refusedResponse.json.message]).toEqual([
      400,
      expect.stringContaining('before the @'),
    ]);
    const readStoredTickets = async () =>
      (await readAllTables(testShop.shop.db))['tickets'] as Record<string, unknown>[];
    expect(await readStoredTickets()).toEqual([
      expect.objectContaining({
        customer_email: 'anna@xn--mnchen-3ya.de',
        phone: '(207) 555–0142 ext. 5',
        phone_e164: '+12075550142',
      }),
    ]);
    // The previous release erases only the column `phone`. The database must then clear `phone_e164`, too.
    await testShop.shop.db.execute(sql`update tickets set phone = null`);
    expect(await readStoredTickets()).toEqual([expect.objectContaining({ phone: null, phone_e164: null })]);
  });

  test('answers 400 and stores nothing if the hidden field is filled in, as by a bot', async () => {
    const testShop = await openTestShop(fresh);
    for (const _honeypot of ['x', ' ', 'http://spam.example'])
      expect((await testShop.browser().post('/api/support-tickets', { ...question, _honeypot })).json).toMatchObject({
        success: false,
        code: 'honeypot-filled',
      });
    expect([await countRows(testShop.shop.db, 'tickets'), await countRows(testShop.shop.db, 'mails')]).toEqual([0, 0]);
    expect((await testShop.browser().post('/api/support-tickets', { ...question, _honeypot: '' })).status).toBe(200);
  });

  test('counts page views of people, but not of bots or of admin pages, and stores no IP addresses or tokens', async () => {
    const testShop = await openTestShop(fresh);
    const postPageView = async (
      pagePath: string,
      referrer: string | null = null,
      userAgent = 'Mozilla/5.0 (Macintosh) Safari/605',
    ) =>
      expect(
        (await testShop.browser({ address: '192.0.2.9' }).post('/api/page-views', { pagePath, referrer, userAgent }))
          .json,
      ).toEqual({ success: true });
    await postPageView('/faq', 'https://search.example/results?q=anna+keller#top');
    await postPageView('/delivery/a-secret-token', `http://localhost:3999/delivery/a-secret-token`);
    await postPageView('/collect/a-secret-token', 'http://localhost:3999/orders/KF-7Q4M-2XPA');
    await postPageView('/review/a-secret-token', 'http://localhost:3999/review/a-secret-token');
    await postPageView('/purchase-success?session=a-secret-token', 'not an address');
    await postPageView('/auth/reset-password?token=a-secret-token#a-secret-token', 'javascript:alert(1)');
    await postPageView('/', '');
    await postPageView('/auth/');
    await postPageView('//auth//?next=/upload');
    await postPageView('/auth#sign-up');
    await postPageView('/admin');
    await postPageView('//admin/');
    await postPageView('/admin/orders?admin_key=1');
    await postPageView('/faq', null, 'Mozilla/5.0 (compatible; Googlebot/2.1)');
    await postPageView('/faq', null, 'curl/8.0');
    const views = (await readAllTables(testShop.shop.db))['page_views'] as {
      page_path: string;
      referrer: string | null;
    }[];
    expect(Object.fromEntries(views.map((view) => [view.page_path, view.referrer]))).toEqual({
      '/': null,
      '/auth': null,
      '/auth/reset-password': null,
      '/collect': 'http://localhost:3999/orders',
      '/delivery': 'http://localhost:3999/delivery',
      '/faq': 'https://search.example/results',
      '/purchase-success': null,
      '/review': 'http://localhost:3999/review',
    });
    expect(views).toHaveLength(10);
    expect(JSON.stringify(views)).not.toContain('192.0.2.9');
  });
});
