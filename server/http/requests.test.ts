import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '#server/app.ts';
import { mountPages } from '#server/pages/mounting.ts';
import type { PageRenderer } from '#server/pages/render.ts';
import { readAllTables } from '#test/rows.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { adminPassword, baseUrl, Browser, openTestShop, type ShopResponse } from '#test/shop.ts';
import { createFileForm } from '#test/owners-video.ts';
import { anna, buyFramesAsAnna, createPhotoForm, createSmallPhoto } from '#test/people.ts';

/** Checks the format that all errors have (specification 3, Forms and mail). */
function expectRefusal(answer: ShopResponse, status: number, code: string) {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.json).toMatchObject({ success: false, code });
  expect(answer.json.message).toMatch(/^(?!Invalid input)[A-Z].{10,}/);
  expect(answer.json.error).toBe(answer.json.message);
  expect(answer.json.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.text).not.toMatch(/\bat .+\.ts:|node_modules|select |insert |stack/i);
}
const pageRenderer: PageRenderer = {
  isPage: (path) => path !== '/no-such-page',
  async fetch(_request, { context }) {
    context.deliver('<script>go()</script><p>A page</p>');
    return new Response(null);
  },
};

/**
 * Lists what a browser may still do because a security header is missing or too weak. Empty if all headers are good.
 */
function faultsOfHeaders({ headers }: ShopResponse, origin: string): string[] {
  const getHeader = (name: string) => (headers[name] ?? '') as string;
  const policyDirectives = new Map(
    getHeader('content-security-policy')
      .split(/;\s*/)
      .map((rule) => [rule.split(' ')[0]!, rule.split(' ').slice(1).join(' ')]),
  );
  const isOneOf = (value: string | undefined, ...good: string[]) => value !== undefined && good.includes(value);
  const scriptSources = policyDirectives.get('script-src') ?? policyDirectives.get('default-src') ?? '*';
  const cookies = [headers['set-cookie'] ?? []].flat() as string[];
  const isSecure = origin.startsWith('https:');
  const faultsByName: Record<string, boolean> = {
    'types are guessed': getHeader('x-content-type-options') !== 'nosniff',
    'a text without its characters':
      /^(text|application\/json)/.test(getHeader('content-type')) && !/charset=utf-8/i.test(getHeader('content-type')),
    'whatever is not named is allowed': !isOneOf(policyDirectives.get('default-src'), "'none'", "'self'"),
    'foreign or inline scripts': /\*|unsafe|data:|http/.test(scriptSources),
    plugins: (policyDirectives.get('object-src') ?? policyDirectives.get('default-src')) !== "'none'",
    'another base': policyDirectives.get('base-uri') !== "'none'" && !policyDirectives.has('sandbox'),
    'frames of other sites':
      policyDirectives.get('frame-ancestors') !== "'none'" || getHeader('x-frame-options') !== 'DENY',
    'addresses sent to other sites': !isOneOf(
      getHeader('referrer-policy'),
      'strict-origin-when-cross-origin',
      'no-referrer',
    ),
    'camera, microphone and place': !['camera', 'microphone', 'geolocation'].every((it) =>
      getHeader('permissions-policy').split(', ').includes(`${it}=()`),
    ),
    'features for frames of other sites': /\*|http(?!s:\/\/js\.stripe\.com)/.test(getHeader('permissions-policy')),
    'windows of other sites': getHeader('cross-origin-opener-policy') !== 'same-origin',
    'embedding by other sites': getHeader('cross-origin-resource-policy') !== 'same-origin',
    'reading by other sites': Object.keys(headers).some((name) => name.startsWith('access-control')),
    'the software named': 'x-powered-by' in headers || 'server' in headers,
    'a way back to plain http':
      isSecure && !/^max-age=31536000; includeSubDomains$/.test(getHeader('strict-transport-security')),
    'https promised by plain http': !isSecure && 'strict-transport-security' in headers,
    'a cookie for scripts or other sites': cookies.some((it) => !/; HttpOnly;.* SameSite=(Lax|Strict)$/.test(it)),
    'a cookie of no host': isSecure && cookies.some((it) => !/^__Host-.*; Path=\/; HttpOnly; Secure;/.test(it)),
  };
  return Object.keys(faultsByName).filter((name) => faultsByName[name]);
}
const loginPath = '/api/auth/login';
const credentials = { email: 'anna@example.com', password: 'wrong-password' };

describeOnFastestEngine((fresh) => {
  test('every refusal has the same format: a message, a code and the request id', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    expectRefusal(await visitor.post(loginPath, credentials), 401, 'wrong-credentials');
    expectRefusal(await visitor.get('/api/auth/user'), 401, 'sign-in-needed');
    expectRefusal(await visitor.get('/api/admin/stats'), 401, 'admin-needed');
    const bothResponses = [await visitor.get('/api/auth/user'), await visitor.get('/api/auth/user')];
    expect(bothResponses[0]!.json.requestId).not.toBe(bothResponses[1]!.json.requestId);
    const response = await visitor.post(loginPath, { email: 'anna', password: '' });
    expectRefusal(response, 400, 'invalid-request');
    expect(response.json).toMatchObject({
      message: 'Please enter a valid email address',
      fields: { email: 'Please enter a valid email address', password: 'Please enter both email and password' },
    });
  });

  test('answers 404 in JSON for an unknown path below /api or /data, by any method', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    for (const path of [
      '/api/nothing',
      '/api/',
      '/data/secrets.json',
      '/api/orders/../admin',
      '/api//user',
      `/api/uploads/${'x'.repeat(5000)}`,
    ])
      expectRefusal(await visitor.get(path), 404, 'not-found');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expectRefusal(await visitor.call(method, '/api/nothing'), 404, 'not-found');
    expectRefusal(await visitor.call('DELETE', loginPath), 404, 'not-found');
    const headResponse = await visitor.call('HEAD', '/api/nothing');
    expect([headResponse.status, headResponse.text]).toEqual([404, '']);
  });

  test('answers 400 in the format of refusals for an address that cannot be decoded', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    for (const path of ['/api/delivery/%E0%A4%A', '/uploads/%ff', '/videos/%zz.mp4', '/api/%'])
      expectRefusal(await visitor.get(path), 400, 'invalid-request');
  });

  test('refuses bodies that are not JSON because of their type, and malformed JSON with a message', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    const text = JSON.stringify(credentials);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'text/html',
      'application/xml',
      'multipart/form-data; boundary=x',
    ])
      expectRefusal(await visitor.post(loginPath, text, { 'content-type': type }), 415, 'json-needed');
    for (const brokenValue of [
      '{',
      '{"email":}',
      'email=a',
      '"',
      '{"a":1}}',
      "{'email':'a'}",
      '\u0000',
      '{"__proto__":{"isAdmin":true}}',
      '{"constructor":{"prototype":{}}}',
    ])
      expectRefusal(await visitor.post(loginPath, brokenValue), 400, 'invalid-request');
    expectRefusal(await visitor.post(loginPath, '', { 'content-type': 'application/json' }), 400, 'invalid-request');
    expectRefusal(await visitor.post(loginPath), 400, 'invalid-request');
    expect((await visitor.post(loginPath, text, { 'content-type': 'application/json; charset=utf-8' })).json.code).toBe(
      'wrong-credentials',
    );
  });

  test('refuses a body over one megabyte as too large, and accepts a body just below one megabyte', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    const largeBody = JSON.stringify({ ...credentials, padding: 'x'.repeat(1024 * 1024) });
    expectRefusal(await visitor.post(loginPath, largeBody), 413, 'body-too-large');
    const bodyWithinLimit = JSON.stringify({ ...credentials, padding: 'x'.repeat(1024 * 1024 - 200) });
    expectRefusal(await visitor.post(loginPath, bodyWithinLimit), 401, 'wrong-credentials');
  });

  test('answers bytes that are not HTTP in the format of refusals, and closes the connection', async () => {
    const { app } = await openTestShop(fresh);
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const sendText = async (words: string) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(words);
      const receivedText = await text(socket);
      return {
        status: Number(receivedText.split(' ')[1]),
        json: JSON.parse(receivedText.slice(receivedText.indexOf('\r\n\r\n'))),
        received: receivedText,
      };
    };
    const oversizedRequest = `GET / HTTP/1.1\r\nhost: x\r\ncookie: sid=${'x'.repeat(20_000)}\r\n\r\n`;
    for (const [words, status] of [
      ['not even a request\r\n\r\n', 400],
      [oversizedRequest, 431],
    ] as const) {
      const response = await sendText(words);
      expect(response).toMatchObject({ status, json: { success: false, code: 'invalid-request' } });
      expect(response.json).toMatchObject({
        error: response.json.message,
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(response.received).toMatch(/\r\nconnection: close\r\n/i);
    }
  });

  test('concurrent readiness requests share one check', async () => {
    const testShop = await openTestShop(fresh);
    const storageChecks = vi.spyOn(testShop.shop.storage, 'check');
    const responses = await Promise.all(Array.from({ length: 20 }, () => testShop.browser().get('/health/ready')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(storageChecks.mock.calls.length).toBe(1);
    storageChecks.mockRejectedValueOnce(new Error('no room'));
    expect((await testShop.browser().get('/health/ready')).status).toBe(503); // no result is cached
    expect((await testShop.browser().get('/health/ready')).status).toBe(200);
  });

  test('answers 408 with an error message to a client that sends too slowly', async () => {
    const { app } = await openTestShop(fresh);
    expect(app.server).toMatchObject({ headersTimeout: 15_000, requestTimeout: 120_000 });
    const clientStream = new PassThrough();
    app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), clientStream);
    const receivedText = await text(clientStream);
    expect(receivedText).toMatch(/^HTTP\/1.1 408 /);
    expect(JSON.parse(receivedText.slice(receivedText.indexOf('\r\n\r\n')))).toMatchObject({
      code: 'too-slow',
      message: 'Your request took too long to reach us. Please try again.',
    });
  });

  test('refuses a form with a thousand fields or a few huge fields before it is stored', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const createFormWithFields = (fields: [string, string][]) => {
      const form = createPhotoForm(frames[0]!.deviceId, Buffer.from('no photo'));
      for (const [name, value] of fields) form.append(name, value);
      return form;
    };
    const formWithManyFields = createFormWithFields(
      Array.from({ length: 1000 }, (_, place) => [`field-${place}`, 'x']),
    );
    const largeForm = createFormWithFields([['note', 'x'.repeat(500_000)]]);
    const formWithManyFiles = createFormWithFields([]);
    for (let i = 0; i < 31; i++) formWithManyFiles.append('image', new Blob(['x']), 'x.jpg');
    const formWithLongName = createFormWithFields([['x'.repeat(5000), 'x']]);
    for (const form of [formWithManyFields, largeForm, formWithManyFiles])
      for (const call of ['POST /api/upload', `PUT /api/devices/${frames[0]!.deviceId}/connection`]) {
        const [method, path] = call.split(' ') as [string, string];
        expectRefusal(await browser.call(method, path, form), 413, 'body-too-large');
      }
    expectRefusal(await browser.post('/api/upload', formWithLongName), 415, 'invalid-file-type'); // the field is ignored
  });

  test('ignores unknown fields of a body', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    const form = { firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com', password: 'Kite-over-sea-4' };
    const foreignFields = {
      id: 'mine',
      emailConfirmedAt: new Date().toISOString(),
      isAdmin: true,
      stripeCustomerId: 'cus_1',
    };
    const response = await visitor.post('/api/auth/register', { ...form, ...foreignFields });
    expect(response.status, response.text).toBe(200);
    expect(response.json.customer).toMatchObject({ emailConfirmed: false });
    expect(response.json.customer.id).not.toBe('mine');
    const { customers } = await readAllTables(testShop.shop.db);
    expect(customers).toMatchObject([{ stripe_customer_id: null, email_confirmed_at: null }]);
  });

  test('refuses a call that changes data if it does not come from the shop’s own pages', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    const signInFrom = (headers: Record<string, string>) => visitor.post(loginPath, credentials, headers);
    const foreignOrigins = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: `${baseUrl}.evil.example` },
      { origin: baseUrl.replace('http:', 'https:') },
      { origin: baseUrl.replace(':3999', ':4000') },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreignOrigins) expectRefusal(await signInFrom(headers), 403, 'foreign-origin');
    expectRefusal(
      await signInFrom({ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }),
      401,
      'wrong-credentials',
    );
    const responseWithoutHeaders = await testShop.app.inject({ method: 'POST', url: loginPath, payload: credentials });
    expect([responseWithoutHeaders.statusCode, responseWithoutHeaders.json().code]).toEqual([403, 'foreign-origin']);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expectRefusal(
        await visitor.call(method, '/api/nothing', undefined, { 'sec-fetch-site': 'cross-site' }),
        403,
        'foreign-origin',
      );
    // Other sites may send a GET request, but cannot read the response.
    const readResponse = await visitor.get('/data/faqs.json', {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    });
    expect(readResponse.status).toBe(200);
    expect(Object.keys(readResponse.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const preflightResponse = await visitor.call('OPTIONS', loginPath, undefined, {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
    });
    expect(Object.keys(preflightResponse.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('calls of webhooks and calls with the admin key need no origin, but a valid signature or key', async () => {
    const adminKey = 'k'.repeat(40);
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: adminKey } });
    const callRaw = (url: string, headers: Record<string, string>, payload?: string) =>
      testShop.app.inject({ method: 'POST', url, headers, ...(payload !== undefined && { payload }) });
    expect((await callRaw('/api/webhooks/stripe', { 'content-type': 'application/json' }, '{}')).json().code).toBe(
      'invalid-request',
    );
    const wrongResponse = await callRaw('/api/admin/videos/none/approve', { 'x-admin-key': 'w'.repeat(40) });
    expect([wrongResponse.statusCode, wrongResponse.json().code]).toEqual([401, 'admin-needed']);
    expect((await callRaw('/api/admin/videos/none/approve', { 'x-admin-key': adminKey })).json().code).toBe(
      'not-found',
    );
    // The admin key gives access to the admin's calls, but not to a customer's calls.
    expect(
      (
        await callRaw(
          '/api/uploads/finalize',
          { 'x-admin-key': adminKey, 'content-type': 'application/json' },
          '{"deviceId":"x"}',
        )
      ).json().code,
    ).toBe('sign-in-needed');
  });

  test.each(['http://localhost:3999', 'https://kinframe.example'])(
    'at %s pages, calls, files and refusals have the security headers, and no cache stores a private answer',
    async (origin) => {
      const testShop = await openTestShop(fresh, { env: { BASE_URL: origin } });
      const app = await createApp(testShop.shop, {
        servePages: (httpScope) => mountPages(httpScope, async () => pageRenderer, { withPolicy: true }),
      });
      onTestFinished(() => app.close());
      const visitor = new Browser(app, '127.0.0.1', origin);
      const ben = { firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com', password: 'Kite-over-sea-4' };
      const signUpResponse = await visitor.post('/api/auth/register', ben);
      const ownerSignInResponse = await visitor.post('/api/admin/auth/password', { password: adminPassword });
      const { url } = (await visitor.post('/api/admin/content/upload', createFileForm(await createSmallPhoto()))).json;
      expect((await visitor.get(url)).status).toBe(200);

      const privatePaths = [
        '/api/auth/user',
        '/api/order-summary',
        '/api/frame-photo-limits',
        '/welcome',
        '/upload',
        '/admin',
      ];
      const publicPaths = ['/', '/data/faqs.json', '/robots.txt', '/.well-known/security.txt', '/health/live'];
      const refusedPaths = [
        '/api/nothing',
        '/api/%',
        '/api/admin/stats',
        '/uploads/none.jpg',
        '/no-such-page',
        '/videos/none',
      ];
      for (const path of [
        ...privatePaths,
        ...publicPaths,
        ...refusedPaths,
        url,
        '/guides/connect-your-frame.pdf',
        '/api/openapi.json',
      ])
        expect(faultsOfHeaders(await visitor.get(path), origin), path).toEqual([]);
      for (const path of privatePaths)
        expect((await visitor.get(path)).headers['cache-control'], path).toMatch(/^(private, )?no-store$/);
      const responsesByCase = {
        'signing up': signUpResponse,
        'the owner’s sign-in': ownerSignInResponse,
        'a sign-in that fails': await visitor.post(loginPath, credentials),
        'what is not JSON': await visitor.post(loginPath, 'x', { 'content-type': 'text/plain' }),
        'too much': await visitor.post(loginPath, 'x'.repeat(1024 * 1024 + 1), { 'content-type': 'application/json' }),
        'another site’s call': await visitor.post(loginPath, credentials, { origin: 'https://evil.example' }),
      };
      for (const [what, answer] of Object.entries(responsesByCase))
        expect(faultsOfHeaders(answer, origin), what).toEqual([]);
    },
  );

  test('on https, cookies are Secure and bound to the host, and browsers must stay on https', async () => {
    const testShop = await openTestShop(fresh, { env: { BASE_URL: 'https://kinframe.example' } });
    const ownOrigin = { origin: 'https://kinframe.example' };
    const visitor = testShop.browser();
    const registerResponse = await visitor.post(
      '/api/auth/register',
      { firstName: 'B', lastName: 'O', email: 'b@example.com', password: 'Kite-over-sea-4' },
      ownOrigin,
    );
    expect(findSetCookie(registerResponse, '__Host-sid')).toMatch(
      /^__Host-sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(registerResponse.headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
    const adminResponse = await visitor.post('/api/admin/auth/password', { password: adminPassword }, ownOrigin);
    expect(findSetCookie(adminResponse, '__Host-admin-sid')).toMatch(
      /^__Host-admin-sid=[\w-]{43}; .*HttpOnly; Secure; SameSite=Strict$/,
    );
    const intentResponse = await visitor.post(
      '/api/create-payment-intent',
      { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna },
      ownOrigin,
    );
    expect(findSetCookie(intentResponse, '__Host-checkout')).toMatch(
      /^__Host-checkout=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('the header x-user-id and invalid cookies do not sign anyone in', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    const { id } = (await browser.get('/api/auth/user')).json;
    const stranger = testShop.browser();
    expectRefusal(await stranger.get('/api/auth/user', { 'x-user-id': id }), 401, 'sign-in-needed');
    expect((await stranger.get('/api/order-summary', { 'x-user-id': id })).json.orders).toEqual([]);
    for (const sid of [id, 'a'.repeat(5000), '%E0%A4%A', '\u0001', "' or 1=1 --", '[object Object]']) {
      const response = await stranger.get('/api/auth/user', { cookie: `sid=${sid}` });
      expectRefusal(response, 401, 'sign-in-needed');
    }
    for (const session of ['demo-user', id, '', 'x'.repeat(200)])
      expect((await stranger.get(`/api/user?session=${session}`)).text).toBe('null');
  });

  test('answers HEAD with the headers of GET, without the body', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    for (const path of ['/data/faqs.json', '/health/live', '/api/openapi.json', '/api/user']) {
      const [head, get] = [await visitor.call('HEAD', path), await visitor.get(path)];
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    }
  });
});

/** The `set-cookie` value of one cookie in a response. */
const findSetCookie = ({ headers }: Pick<ShopResponse, 'headers'>, name: string): string | undefined =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .find((it) => it.startsWith(`${name}=`));
