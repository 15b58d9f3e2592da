import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#adapters/database/database.ts';
import { createApp } from '#server/app.ts';
import { mountPages } from '#server/pages/mounting.ts';
import type { PageRenderer } from '#server/pages/render.ts';
import { readContent, writeContent } from '#shop/content/content.ts';
import { describeOnFastestEngine, createDatabase, describeOnPostgres } from '../database.ts';
import { buyFramesAsAnna } from '../people.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { adminPassword, Browser, openTestShop } from '../shop.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Pages that show the FAQ or a customer's frames, and fail if these cannot be loaded. */
const pageRenderer: PageRenderer = {
  isPage: () => true,
  async fetch(request, { context }) {
    const isCustomers = new URL(request.url).pathname === '/upload';
    const shownResponse = await context.fetch(isCustomers ? '/api/frame-photo-limits' : '/data/faqs.json');
    context.deliver(`<p>${await shownResponse.text()}</p>`);
    return new Response(null, { status: shownResponse.status });
  },
};

describeOnPostgres(() => {
  test('without its database the shop is not ready but serves public pages, and it recovers by itself', async () => {
    const url = await createDatabase();
    const databaseProxy = await TcpProxy.startTo(Number(url.port));
    url.port = String(databaseProxy.port);
    const database = await openDatabase({ url: url.href, dataDir: '', migrationsFolder, pollSeconds: 1 });
    onTestFinished(async () => {
      await database.close();
      await databaseProxy.cut();
    });
    const testShop = await openTestShop(async () => database);
    const app = await createApp(testShop.shop, {
      servePages: (httpScope) => mountPages(httpScope, async () => pageRenderer, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    const { browser: anna } = await buyFramesAsAnna({ ...testShop, browser: () => new Browser(app, '127.0.0.1') });
    const visitor = new Browser(app, '192.0.2.1');
    expect((await visitor.get('/health/ready')).json).toEqual({ status: 'ok' });
    const faqResponseBefore = await visitor.get('/faq');
    expect(faqResponseBefore).toMatchObject({ status: 200, text: expect.stringContaining('question') });
    expect((await anna.get('/upload')).status).toBe(200);

    await databaseProxy.cut();
    const realNow = Date.now;
    const fakeNow = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 61_000); // cached pages are stale
    const readyResponse = await visitor.get('/health/ready');
    expect([readyResponse.status, readyResponse.json]).toEqual([503, { status: 'unavailable' }]);
    expect((await new Browser(app, '127.0.0.1').get('/health/ready')).json).toEqual({
      status: 'unavailable',
      problems: [expect.stringMatching(/^The database does not answer\. Public pages are answered from memory/)],
    });
    expect((await visitor.get('/health/live')).status).toBe(200);
    for (let i = 0; i < 2; i++)
      expect(await visitor.get('/faq')).toMatchObject({ status: 200, text: faqResponseBefore.text });
    // Public content is cached, so even a page that no one has visited works. A customer's own data is not cached.
    expect(await visitor.get('/gallery')).toMatchObject({ status: 200, text: faqResponseBefore.text });
    expect((await visitor.get('/data/faqs.json')).status).toBe(200);
    expect((await anna.get('/upload')).status).toBe(503);
    fakeNow.mockRestore();
    const responses = [
      await anna.get('/api/auth/user'),
      await anna.get('/api/frame-photo-limits'),
      await visitor.post('/api/auth/login', { email: 'anna@example.com', password: 'x' }),
      await visitor.post('/api/admin/auth/password', { password: adminPassword }),
      await visitor.post('/api/create-payment-intent', { productId: 'kinframe', quantity: 1, extraPackages: 0 }),
    ];
    for (const response of responses) {
      expect(response.status, response.text).toBe(503);
      expect(response.json).toMatchObject({
        success: false,
        code: expect.stringMatching(/unavailable$/),
        message: expect.stringMatching(/try again/),
      });
      expect(response.text).not.toMatch(/ECONN|127\.0\.0\.1|select|pg/);
    }
    expect(responses[0]!.headers['retry-after']).toBe('30');

    await databaseProxy.repair();
    await vi.waitFor(async () => expect((await visitor.get('/health/ready')).status).toBe(200), { timeout: 20_000 });
    expect((await anna.get('/api/auth/user')).status).toBe(200); // the session has survived
    // LISTEN works again, too: an edit reaches the cached page.
    const { db, clock } = testShop.shop;
    const faqs = await readContent(db, 'faqs');
    await vi.waitFor(
      async () => {
        await writeContent(db, clock, 'faqs', [{ question: 'Is it back?', answer: 'Yes.' }, ...faqs]);
        expect((await visitor.get('/faq')).text).toContain('Is it back?');
      },
      { timeout: 20_000, interval: 500 },
    );
  });
});

describeOnFastestEngine((fresh) => {
  test('without its storage the shop is not ready and hides why; strangers cannot read the metrics', async () => {
    const testShop = await openTestShop(fresh);
    testShop.shop.storage.check = () => Promise.reject(new Error('no disk at /srv/secret'));
    const response = await testShop.browser({ address: '192.0.2.1' }).get('/health/ready');
    expect([response.status, response.json]).toEqual([503, { status: 'unavailable' }]);
    const requestReady = async (headers = {}) => (await testShop.browser().get('/health/ready', headers)).json;
    expect(await requestReady()).toMatchObject({
      problems: [expect.stringMatching(/^The store of files does not answer/)],
    });
    expect(await requestReady({ 'x-forwarded-for': '192.0.2.1' })).toEqual({ status: 'unavailable' });
    expect((await testShop.browser().get('/data/faqs.json')).status).toBe(200);

    const requestMetrics = async (address: string, headers = {}) =>
      (await testShop.browser({ address }).get('/metrics', headers)).status;
    expect(await requestMetrics('127.0.0.1')).toBe(200);
    expect(await requestMetrics('::1')).toBe(200);
    expect(await requestMetrics('192.0.2.1')).toBe(404);
    expect(await requestMetrics('192.0.2.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
    expect(await requestMetrics('127.0.0.1', { 'x-forwarded-for': '192.0.2.1' })).toBe(404); // a request through a proxy on this machine cannot read the metrics
    const admin = testShop.browser({ address: '192.0.2.1' });
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    const metricsResponse = await admin.get('/metrics');
    expect(metricsResponse.status).toBe(200);
    expect(metricsResponse.text).toContain('http_request_duration_seconds_bucket');
    expect(metricsResponse.text).toContain('route="/data/faqs.json"');
    expect((await testShop.browser().get('/health/live')).json).toEqual({ status: 'ok' });
  });
});
