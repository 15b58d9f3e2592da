import { expect, onTestFinished, test, vi } from 'vitest';
import { hash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { rateLimits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import { createApp } from '#server/app.ts';
import { isInProcess } from '#server/http/common/in-process.ts';
import { splitStylesheet } from '../../scripts/style-parts.ts';
import { mountPages } from '#server/pages/mounting.ts';
import type { PageRenderer } from '#server/pages/render.ts';
import { readContent, writeContent } from '#shop/content/content.ts';
import { describeOnFastestEngine } from '../../test/database.ts';
import { readAllTables } from '../../test/rows.ts';
import { Browser, openTestShop } from '../../test/shop.ts';

const isPage = () => true;
const pageRenderer: PageRenderer = {
  isPage,
  async fetch(_request, { context }) {
    context.deliver('<p>A page</p>');
    return new Response(null);
  },
};

/** A page that makes one API call and shows the response. */
const createPagesRequesting = (path: string): PageRenderer => ({
  isPage,
  async fetch(_request, { context }) {
    const apiResponse = await context.fetch(path);
    context.deliver(`${apiResponse.status} ${await apiResponse.text()}`);
    return new Response(null, { status: apiResponse.ok || apiResponse.status < 429 ? 200 : 500 }); // the same statuses that the router sends
  },
});

describeOnFastestEngine((fresh) => {
  test('a page calls the API with the address, the proxy headers and the guessing limits of its visitor', async () => {
    const { shop } = await openTestShop(fresh, { env: { RATE_LIMITS: 'on' } });
    const openBrowserAt = async (path: string, address: string) => {
      const app = await createApp(shop, {
        servePages: (httpScope) => mountPages(httpScope, async () => createPagesRequesting(path), { withPolicy: true }),
      });
      onTestFinished(() => app.close());
      return new Browser(app, address);
    };
    const onThisMachine = { host: 'localhost:3999' };
    const sandboxVisitor = await openBrowserAt('/api/sandbox', '127.0.0.1');
    expect((await sandboxVisitor.get('/sandbox', onThisMachine)).text).toMatch(/^200 /);
    for (const proxyHeader of ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'])
      expect(
        (await sandboxVisitor.get('/sandbox', { ...onThisMachine, [proxyHeader]: '1.1.1.1' })).text,
        proxyHeader,
      ).toMatch(/^401 /);

    const guessingBrowser = await openBrowserAt('/api/delivery/a-guess', '198.51.100.1');
    for (let i = 0; i < rateLimits['token-validation'].max; i++)
      expect((await guessingBrowser.get('/delivery/a-guess')).text).toMatch(/^404 /);
    const waitingResponse = await guessingBrowser.get('/delivery/a-guess');
    expect([waitingResponse.status, waitingResponse.text]).toEqual([429, expect.stringMatching(/^429 /)]);
    expect(Number(waitingResponse.headers['retry-after'])).toBeGreaterThan(0);
    const visitResponse = await openBrowserAt('/api/user', '198.51.100.2');
    for (let i = 0; i < 3; i++) expect((await visitResponse.get('/welcome')).text).toMatch(/^200 /);
    const counterRows = await shop.db.execute(
      sql`select key, count from rate_counters where key like '%198.51.100.2' order by key`,
    );
    expect(counterRows.rows).toEqual([{ key: 'page:198.51.100.2', count: 3 }]); // API calls of pages are not counted
  });

  test('redirects a visitor of a customer page to sign in and then back, without rendering a page', async () => {
    const { shop, rendered: renderedPaths, visitor } = await openShopCountingPages();
    const { get, post, cookies } = visitor('198.51.100.1');
    const customerPages = [
      '/upload',
      '/select-frame',
      '/device-setup-pending',
      '/addon-checkout',
      '/orders',
      '/account',
    ];
    const requestedPaths = customerPages.flatMap((path) => [
      path,
      `${path}/`,
      path.toUpperCase(),
      `${path}?frameId=a%26b&x=//evil`,
    ]);
    for (const path of requestedPaths) {
      const { status, headers } = await get(path);
      expect([status, headers['cache-control']], path).toEqual([303, 'private, no-store']);
      const redirectUrl = new URL(String(headers['location']), 'http://localhost:3999');
      expect([redirectUrl.origin, redirectUrl.pathname, redirectUrl.searchParams.get('returnTo')], path).toEqual([
        'http://localhost:3999',
        '/auth',
        path,
      ]);
    }
    cookies.set('sid', 'a-guess');
    expect((await get('/upload')).status).toBe(303);
    cookies.delete('sid');
    expect(renderedPaths).toEqual([]);
    const ben = { firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com', password: 'Kite-over-sea-4' };
    expect((await post('/api/auth/register', ben)).status).toBe(200);
    for (const path of customerPages) expect((await get(path)).status, path).toBe(200);
    await shop.db.execute(sql`delete from sessions`);
    expect((await get('/upload')).status).toBe(303);
  });

  test('shows admin pages only at allowed IP addresses, in any spelling of the path', async () => {
    const { shop } = await openTestShop(fresh, { env: { ADMIN_ALLOWED_IPS: '192.0.2.0/24' } });
    const app = await createApp(shop, {
      servePages: (httpScope) => mountPages(httpScope, async () => pageRenderer, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    for (const path of [
      '/admin',
      '/admin?tab=orders',
      '/admin/',
      '/admin-login',
      '/admin-invitation',
      '/ADMIN',
      '/%61dmin',
      '/admin%2dlogin',
    ]) {
      const outsideResponse = await new Browser(app, '198.51.100.1').get(path);
      expect([outsideResponse.status, outsideResponse.text], path).toEqual([
        403,
        refusals['address-not-allowed'].words,
      ]);
      const insideResponse = await new Browser(app, '192.0.2.7').get(path);
      expect(insideResponse.status, path).toBe(200);
      expect(insideResponse.headers, path).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'private, no-store',
      });
    }
    expect((await new Browser(app, '198.51.100.1').get('/administration-of-photos')).status).toBe(200);
  });

  test('exchanges the admin’s key in a page’s address for a cookie before anything is shown', async () => {
    const secretKey = 'a-key-of-at-least-thirty-two-characters';
    const { shop } = await openTestShop(fresh, { env: { ADMIN_KEY: secretKey, RATE_LIMITS: 'on' } });
    const renderedPaths: string[] = [];
    const notingRenderer: PageRenderer = {
      isPage,
      async fetch(request, given) {
        renderedPaths.push(request.url);
        return pageRenderer.fetch(request, given);
      },
    };
    const app = await createApp(shop, {
      servePages: (httpScope) => mountPages(httpScope, async () => notingRenderer, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    const browser = new Browser(app, '192.0.2.7');
    const takenResponse = await browser.get(`/admin?tab=orders&admin_key=${secretKey}&q=a%26b`);
    expect([takenResponse.status, takenResponse.headers['location']]).toEqual([303, '/admin?tab=orders&q=a%26b']);
    expect(takenResponse.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
    });
    expect(takenResponse.text + JSON.stringify(takenResponse.headers)).not.toContain(secretKey);
    expect((await browser.get('/api/admin/session')).json.isAuthenticated).toBe(true);
    const guessing = new Browser(app, '198.51.100.1');
    for (const wrongKey of ['wrong', '', `${secretKey}x`]) {
      const response = await guessing.get(`/admin-login?admin_key=${wrongKey}`);
      expect([response.status, response.headers['location']], wrongKey).toEqual([303, '/admin-login']);
    }
    expect((await guessing.get('/api/admin/session')).json.isAuthenticated).toBe(false);
    for (let i = 2; i < rateLimits['admin-key'].max; i++) await guessing.get(`/admin?admin_key=guess-${i}`);
    const waitingResponse = await guessing.get('/admin?admin_key=one-more');
    expect([waitingResponse.status, waitingResponse.text]).toEqual([429, refusals['too-many-requests'].words]);
    expect((await guessing.get(`/admin?admin_key=${secretKey}`)).status).toBe(303); // the right key is not limited
    expect((await guessing.get('/api/admin/session')).json.isAuthenticated).toBe(true);
    expect(renderedPaths).toEqual([]);
    const { audit_trail: trail, sessions } = await readAllTables(shop.db);
    expect(trail).toHaveLength(rateLimits['admin-key'].max + 2);
    expect(sessions).toHaveLength(2);
    expect(JSON.stringify(trail)).not.toMatch(/guess|wrong"|thirty-two/);
  });

  test('every page allows only its own scripts, and Stripe’s scripts only if Stripe is the provider', async () => {
    const code = 'window.shop = 1';
    const injectedScripts =
      '<script>steal()</script><script nonce="">steal()</script><script nonce="guess">steal()</script><script>';
    const withScript: PageRenderer = {
      isPage,
      async fetch(_request, { context }) {
        const nonceAttribute = `nonce="${context.nonce}"`;
        context.deliver(
          `<meta property="csp-nonce" content="${context.nonce}"/><link rel="icon" ${nonceAttribute}/>` +
            `<script ${nonceAttribute}>${code}</script><script type="application/ld+json" ${nonceAttribute}>{}</script>` +
            `<script type="module" ${nonceAttribute} src="/a.js"></script><p>${injectedScripts}</p>`,
        );
        return new Response(null);
      },
    };
    const stripe = {
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      BASE_URL: 'https://kinframe.example',
      RATE_LIMITS: 'on',
    };
    const ownSources = `'self' 'sha256-${hash('sha256', code, 'base64')}'`;
    const js = 'https://js.stripe.com https://*.js.stripe.com';
    for (const [env, scripts, connects, frames] of [
      [{}, ownSources, "'self'", "'none'"],
      [stripe, `${ownSources} ${js}`, "'self' https://api.stripe.com", `${js} https://hooks.stripe.com`],
    ] as const) {
      const { shop } = await openTestShop(fresh, { env });
      const app = await createApp(shop, {
        servePages: (httpScope) => mountPages(httpScope, async () => withScript, { withPolicy: true }),
      });
      onTestFinished(() => app.close());
      for (const path of ['/', '/?from=mail', '/welcome', '/admin', '/delivery/token', '/no-such-page']) {
        const { headers, text } = await new Browser(app, '127.0.0.1').get(path);
        expect(text, 'goes out without the mark').toBe(
          `<link rel="icon"/><script>${code}</script><script type="application/ld+json">{}</script>` +
            `<script type="module" src="/a.js"></script><p>${injectedScripts}</p>`,
        );
        const rules = Object.fromEntries(
          String(headers['content-security-policy'])
            .split('; ')
            .map((rule) => [rule.split(' ')[0], rule.slice(rule.indexOf(' ') + 1)]),
        );
        expect(rules, path).toMatchObject({
          'default-src': "'self'",
          'script-src': scripts,
          'style-src': "'self'",
          'connect-src': connects,
          'frame-src': frames,
          'object-src': "'none'",
          'base-uri': "'none'",
          'form-action': "'self'",
          'frame-ancestors': "'none'",
        });
      }
    }
  });

  test('sends public pages with only the styles they use and delayed code, and other pages unchanged', async () => {
    const style = 'p{color:red}.shown{color:green}';
    const html =
      '<link rel="modulepreload" href="/assets/a.js"/><link rel="stylesheet" href="/assets/a.css"/>' +
      '<p class="shown">A page</p><script type="module" async="" src="/assets/a.js"></script>';
    const wholeRenderer: PageRenderer = {
      isPage: (path) => path !== '/no-such-page',
      async fetch(_request, { context }) {
        context.deliver(html);
        return new Response(null);
      },
    };
    const { shop } = await openTestShop(fresh);
    const styles = { '/assets/a.css': splitStylesheet('p{color:red}.shown{color:green}.not-here{color:blue}') };
    const readStyleOf = async (address: string) => styles[address as keyof typeof styles];
    const app = await createApp(shop, {
      servePages: (httpScope) =>
        mountPages(httpScope, async () => wholeRenderer, { withPolicy: true, styleAt: readStyleOf }),
    });
    onTestFinished(() => app.close());
    const visitor = new Browser(app, '127.0.0.1');
    for (const path of ['/', '/faq?utm_source=mail', '/no-such-page']) {
      const { headers, text } = await visitor.get(path);
      expect(text, path).toBe(
        `<link rel="asleep" href="/assets/a.js"/><style>${style}</style><link rel="asleep" as="style" href="/assets/a.css"/>` +
          '<p class="shown">A page</p><script type="text/asleep" async="" src="/assets/a.js"></script>',
      );
      expect(headers['content-security-policy'], path).toContain(
        `; style-src 'self' 'sha256-${hash('sha256', style, 'base64')}'; `,
      );
    }
    for (const path of ['/welcome', '/checkout']) {
      const { headers, text } = await visitor.get(path);
      expect(text, path).toBe(html);
      expect(headers['content-security-policy'], path).toContain("; style-src 'self'; ");
    }
  });

  test('forbids caching of private pages, and referrers from pages with a token in their address', async () => {
    const { shop } = await openTestShop(fresh);
    const app = await createApp(shop, {
      servePages: (httpScope) => mountPages(httpScope, async () => pageRenderer, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    const visitor = new Browser(app, '192.0.2.1');
    const pathsWithToken = [
      '/delivery/a-token',
      '/film/a-token',
      '/cart/a-token',
      '/customer-upload?token=t',
      '/auth/reset-password?token=t',
      '/auth/confirm-email?token=t',
      '/complete-registration?token=t',
      '/purchase-success?session=t',
      '/welcome?session=t',
      '/orders/KF-1?session=t',
      '/upload?session=t',
      '/upload-complete?session=t',
      '/payment-success?payment_intent=pi_1&payment_intent_client_secret=t',
      '/Delivery/a-token',
      '/%64elivery/a-token',
    ];
    for (const path of [...pathsWithToken, '/select-frame', '/customer-details', '/?code=SUMMER', '/no-such-page'])
      expect((await visitor.get(path)).headers['cache-control'], path).toBe('private, no-store');
    for (const path of pathsWithToken)
      expect((await visitor.get(path)).headers['referrer-policy'], path).toBe('no-referrer');
  });

  /** Pages that record each rendering in `renderedPaths`. Paths that begin with /no do not exist. */
  async function openShopCountingPages(env: Record<string, string> = {}) {
    const { shop } = await openTestShop(fresh, { env });
    const renderedPaths: string[] = [];
    const countingRenderer: PageRenderer = {
      isPage: (path) => !path.startsWith('/no'),
      async fetch(request, { context }) {
        const { pathname, search } = new URL(request.url);
        renderedPaths.push(pathname + search);
        context.deliver('<p>A page</p>');
        return new Response(null, { status: countingRenderer.isPage(pathname) ? 200 : 404 });
      },
    };
    const app = await createApp(shop, {
      servePages: (httpScope) => mountPages(httpScope, async () => countingRenderer, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    return { shop, rendered: renderedPaths, visitor: (address: string) => new Browser(app, address) };
  }

  test('renders one not-found page for all unknown addresses, until content changes', async () => {
    const { shop, rendered: renderedPaths, visitor } = await openShopCountingPages();
    const browser = visitor('192.0.2.1');
    const { get } = browser;
    const paths = Array.from({ length: 40 }, (_, i) => `/nothing-${i}/at/all?${i}`);
    for (const response of await Promise.all(paths.map((path) => get(path)))) {
      expect([response.status, response.text]).toEqual([404, '<p>A page</p>']);
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'private, no-store',
        'content-security-policy': expect.stringContaining("default-src 'self'"),
        'x-content-type-options': 'nosniff',
      });
      expect(response.headers).not.toHaveProperty('etag');
    }
    const headResponse = await browser.call('HEAD', '/nothing');
    expect([headResponse.status, headResponse.text]).toEqual([404, '']);
    expect((await get('/nothing', { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
    expect(renderedPaths).toHaveLength(1);
    expect((await get('/delivery/a-token')).status).toBe(200); // the page exists; only it checks the token
    expect(renderedPaths.splice(0)).toEqual([expect.stringMatching(/^\/no/), '/delivery/a-token']);

    await writeContent(shop.db, shop.clock, 'faqs', await readContent(shop.db, 'faqs'));
    await vi.waitFor(
      async () => {
        await get('/nothing');
        expect(renderedPaths).toHaveLength(1);
      },
      { timeout: 30_000 },
    );
  });

  test('serves the cached page for tracking parameters, and renders a page for parameters that change it', async () => {
    const { rendered: renderedPaths, visitor } = await openShopCountingPages();
    const { get } = visitor('192.0.2.1');
    const plainPageResponse = await get('/');
    const campaignParameters =
      'utm_source=mail&utm_medium=a&utm_id=1&UTM_Term=x&fbclid=a&gclid=b&gbraid=c&wbraid=d&msclkid=e';
    for (const search of [
      campaignParameters,
      'ttclid=f&mc_cid=g&mc_eid=h&_ga=2.1&_gl=1*k&li_fat_id=i&twclid=j',
      '',
      '&',
    ])
      expect((await get(`/?${search}`)).headers['etag'], search).toBe(plainPageResponse.headers['etag']);
    expect(renderedPaths.splice(0)).toEqual(['/']);
    for (const search of ['code=SUMMER', 'utm_source=mail&code=SUMMER', 'utm=1', 'select-product=true'])
      expect((await get(`/?${search}`)).headers['cache-control'], search).toBe('private, no-store');
    expect(renderedPaths).toHaveLength(4);
  });

  test('limits how many pages are rendered for an IP address, but not how many are served from the cache', async () => {
    const { shop, rendered: renderedPaths, visitor } = await openShopCountingPages({ RATE_LIMITS: 'on' });
    const { get } = visitor('198.51.100.1');
    expect((await get('/welcome')).status).toBe(200);
    await shop.db.execute(sql`update rate_counters set count = ${rateLimits.page.max}`);
    renderedPaths.splice(0);
    for (let i = 0; i < 3; i++) {
      const limitedResponse = await get('/welcome');
      expect([limitedResponse.status, limitedResponse.text]).toEqual([429, refusals['too-many-requests'].words]);
      expect(limitedResponse.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(Number(limitedResponse.headers['retry-after'])).toBeGreaterThan(50);
      expect(Number(limitedResponse.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect((await get('/?code=SUMMER')).status).toBe(429);
    expect(renderedPaths).toEqual([]);
    expect((await get('/')).status).toBe(200);
    expect((await get('/nothing')).status).toBe(404);
    expect((await get('/health/live')).status).toBe(200);
    expect((await visitor('198.51.100.2').get('/welcome')).status).toBe(200);
  });

  test('sends a cached public page with the same headers and body each time, until content changes', async () => {
    const { shop } = await openTestShop(fresh);
    let version = 1;
    const countingRenderer: PageRenderer = {
      isPage,
      async fetch(_request, { context }) {
        context.deliver(`<p>Page ${version++}</p>`);
        return new Response(null);
      },
    };
    const app = await createApp(shop, {
      servePages: (httpScope, responseCache) =>
        mountPages(httpScope, async () => countingRenderer, { withPolicy: true, responseCache }),
    });
    onTestFinished(() => app.close());
    const handledUrls: string[] = [];
    app.addHook('preHandler', async ({ url }) => void handledUrls.push(url));
    const answeredRequests: [string, number][] = [];
    app.addHook('onResponse', async ({ url }, { statusCode }) => void answeredRequests.push([url, statusCode]));
    const visitor = new Browser(app, '192.0.2.1');
    const removeVariableParts = ({
      status,
      text,
      headers: { date: _date, ...headers },
    }: Awaited<ReturnType<typeof visitor.get>>) => ({
      status,
      text,
      headers,
    });

    for (const acceptedEncoding of ['identity', 'gzip', 'gzip, deflate, br', 'br']) {
      const encodingHeaders = { 'accept-encoding': acceptedEncoding };
      const firstPage = removeVariableParts(await visitor.get('/faq', encodingHeaders));
      expect(firstPage.headers['content-encoding'] ?? 'identity').toBe(acceptedEncoding.split(', ').at(-1));
      handledUrls.length = 0;
      for (let i = 0; i < 3; i++)
        expect(removeVariableParts(await visitor.get('/faq', encodingHeaders)), acceptedEncoding).toEqual(firstPage);
      expect(handledUrls, 'only the first went all the way').toEqual([]);
    }
    expect(answeredRequests.filter(([url, status]) => url === '/faq' && status === 200)).toHaveLength(16); // requests that the cache answers are counted too

    const { headers } = await visitor.get('/faq');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const unchangedResponse = await visitor.get('/faq', { 'if-none-match': String(headers['etag']) });
    expect([unchangedResponse.status, unchangedResponse.text]).toEqual([304, '']);
    expect(removeVariableParts(await visitor.head('/faq'))).toMatchObject({ status: 200, text: '' });
    expect((await visitor.get('/faq?code=SUMMER')).text).toBe('<p>Page 2</p>'); // a page with a promo code is rendered separately
    expect((await visitor.post('/faq')).status).toBe(404);
    expect((await visitor.get('/welcome')).headers['cache-control']).toBe('private, no-store');

    await writeContent(shop.db, shop.clock, 'faqs', await readContent(shop.db, 'faqs'));
    await vi.waitFor(async () => expect((await visitor.get('/faq')).text).not.toBe('<p>Page 1</p>'), {
      timeout: 30_000,
    });
  });

  test('a page that fails to render shows an error message with the request id of the log', async () => {
    const { shop } = await openTestShop(fresh);
    const failingRenderer: PageRenderer = { isPage, fetch: () => Promise.reject(new Error('a fault of ours')) };
    const app = await createApp(shop, {
      servePages: (httpScope) => mountPages(httpScope, async () => failingRenderer, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    const loggedErrors: { id: string; words: unknown }[] = [];
    app.addHook('onError', async ({ id }, _reply, error) => void loggedErrors.push({ id, words: error.message }));
    for (const path of ['/', '/welcome']) {
      const { status, headers, text } = await new Browser(app, '192.0.2.1').get(path);
      const { id } = loggedErrors.pop()!;
      expect([status, headers['content-type'], text]).toEqual([
        500,
        'text/plain; charset=utf-8',
        `${refusals.unexpected.words}\n\nIf you contact us, please mention ${id}.`,
      ]);
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  test('API responses to a page have the request id of the page, which is also in the log', async () => {
    const { shop } = await openTestShop(fresh);
    const receivedIds: string[] = [];
    const createPagesRequesting: PageRenderer = {
      isPage,
      async fetch(_request, { context }) {
        const answer = await context.fetch('/api/delivery/no-link');
        receivedIds.push((await answer.json()).requestId);
        context.fault(new Error('a loader of ours'));
        return new Response(null, { status: 500 });
      },
    };
    const loggedErrors: unknown[] = [];
    const log = { ...shop.log, error: (words: object) => void loggedErrors.push(words) };
    const app = await createApp(shop, {
      servePages: (httpScope) =>
        mountPages({ ...httpScope, shop: { ...shop, log } }, async () => createPagesRequesting, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    const requestedPaths: string[] = [];
    app.addHook('onResponse', async (request) => void (isInProcess(request) || requestedPaths.push(request.id)));
    const visitor = new Browser(app, '192.0.2.1');
    for (const path of ['/', '/welcome']) await visitor.get(path);
    expect(receivedIds).toEqual(requestedPaths);
    expect(loggedErrors).toEqual(
      requestedPaths.map((reqId) => ({ reqId, err: expect.objectContaining({ message: 'a loader of ours' }) })),
    );

    const guessedHeaders = { 'x-in-process': 'guessed', 'x-page-request-id': 'my own' };
    expect((await visitor.get('/api/delivery/no-link', guessedHeaders)).json.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('cached and personal pages allow pictures and videos only from the sites that content names', async () => {
    const { shop } = await openTestShop(fresh);
    const app = await createApp(shop, {
      servePages: (httpScope) => mountPages(httpScope, async () => pageRenderer, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    const visitor = new Browser(app, '192.0.2.1');
    const fetchCssRules = async (path: string) => {
      const policy = String((await visitor.get(path)).headers['content-security-policy']);
      return ['img-src', 'media-src'].map((name) => policy.split('; ').find((it) => it.startsWith(`${name} `)));
    };
    const exampleUrls = ['/gallery', '/gallery?from=mail', '/welcome'];
    for (const path of exampleUrls)
      expect(await fetchCssRules(path)).toEqual(["img-src 'self' data: blob:", "media-src 'self' blob:"]);

    const [item, ...rest] = await readContent(shop.db, 'gallery');
    await writeContent(shop.db, shop.clock, 'gallery', [
      {
        ...item!,
        beforeImage: 'https://pictures.example.com/kite.jpg',
        afterVideo: 'https://films.example.com:8443/kite.mp4',
      },
      ...rest,
    ]);
    const mediaOrigins = 'https://films.example.com:8443 https://pictures.example.com';
    for (const path of exampleUrls)
      await vi.waitFor(
        async () =>
          expect(await fetchCssRules(path)).toEqual([
            `img-src 'self' data: blob: ${mediaOrigins}`,
            `media-src 'self' blob: ${mediaOrigins}`,
          ]),
        { timeout: 30_000 },
      );

    // An invalid address in the database is not added to the policy.
    const hostileItem = { ...item!, beforeImage: "https://evil.example;script-src'unsafe-inline'/x.jpg" };
    await writeContent(shop.db, shop.clock, 'gallery', [hostileItem]);
    for (const path of exampleUrls)
      await vi.waitFor(
        async () => expect(await fetchCssRules(path)).toEqual(["img-src 'self' data: blob:", "media-src 'self' blob:"]),
        { timeout: 30_000 },
      );
  });
});
