import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, query, queryOrNullOn401, send } from './api.ts';
import { errorText, isOffline, isRefusal } from './error-text.ts';
import { createQueryClient } from './query-client.ts';

const createFetchAnswering = (status: number, body: string) =>
  vi.fn<(url: string, init?: RequestInit) => Promise<Response>>(async () => new Response(body, { status }));

beforeEach(() => vi.stubGlobal('location', { search: '' }));
afterEach(() => vi.unstubAllGlobals());

test('query() returns the URL split at its slashes as the query key', async () => {
  const options = query('/api/delivery/:token', { params: { token: 'a/b' } });
  expect(options.queryKey).toEqual(['/api', 'delivery', 'a%2Fb']);
  const fetch = createFetchAnswering(200, '{"fine":true}');
  expect(await createQueryClient(fetch).fetchQuery(options)).toEqual({ fine: true });
  expect(fetch.mock.calls[0]?.[0]).toBe('/api/delivery/a%2Fb');
});

test('every request sends the visitor id and cookies, and a content type only when it has a JSON body', async () => {
  vi.stubGlobal('location', { search: '?session=abc' });
  const fetch = createFetchAnswering(200, '{"success":true}');
  vi.stubGlobal('fetch', fetch);
  await send('POST /api/page-views', { body: { pagePath: '/', referrer: null, userAgent: 'test' } });
  await send('POST /api/auth/logout');
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({
    credentials: 'include',
    headers: { 'x-user-id': 'abc', 'content-type': 'application/json' },
  });
  expect(fetch.mock.calls[1]?.[1]).toMatchObject({ headers: { 'x-user-id': 'abc' } });
  expect(fetch.mock.calls[1]?.[1]?.headers).not.toHaveProperty('content-type');
});

test('sends demo-user as the visitor id when the address has no session', async () => {
  const fetch = createFetchAnswering(200, '[]');
  await createQueryClient(fetch).fetchQuery(query('/data/faqs.json'));
  expect(fetch.mock.calls[0]?.[1]?.headers).toMatchObject({ 'x-user-id': 'demo-user' });
});

test('a 401 throws with query and returns null with queryOrNullOn401', async () => {
  const client = createQueryClient(createFetchAnswering(401, '{"message":"Please sign in to continue."}'));
  await expect(client.fetchQuery(query('/api/auth/user'))).rejects.toThrow('401: {"message":"Please sign in');
  client.clear();
  expect(await client.fetchQuery(queryOrNullOn401('/api/auth/user'))).toBeNull();
});

test('an ApiError has the message "STATUS: body" and reads message, code and fields from the body', () => {
  const error = new ApiError(409, '{"message":"Full.","code":"photo-limit-reached","fields":{"email":"Wrong"}}');
  expect(error.message).toBe('409: {"message":"Full.","code":"photo-limit-reached","fields":{"email":"Wrong"}}');
  expect([error.words, error.code, error.fields]).toEqual(['Full.', 'photo-limit-reached', { email: 'Wrong' }]);
  expect(isRefusal(error, 'photo-limit-reached')).toBe(true);
  expect(errorText(error)).toBe('Full.');
});

test('the error of a response with a Retry-After header says how long to wait', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 429, headers: { 'retry-after': '420' } }));
  await expect(send('POST /api/auth/logout')).rejects.toMatchObject({ retryAfterSeconds: 420 });
});

test('errorText returns the fallback for a response without a message, and its own text for a network error', () => {
  expect(errorText(new ApiError(502, '<html>Bad gateway</html>'), 'Please try again.')).toBe('Please try again.');
  expect(errorText(new TypeError('Failed to fetch'))).toContain('connection');
});

test.each([
  'Failed to fetch dynamically imported module: https://shop.example/assets/x.js',
  'error loading dynamically imported module',
  'Importing a module script failed.',
])('a module that fails to load does not count as offline: %s', (words) => {
  expect(isOffline(new TypeError(words))).toBe(false);
  expect(errorText(new TypeError(words))).toContain('We couldn’t load part of this page');
});

test.each(['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])(
  'recognizes the network error of every browser: %s',
  (words) => expect(isOffline(new TypeError(words))).toBe(true),
);

test('a request that needs a proof of work fails with the API’s message when the browser has no workers', async () => {
  const body = { message: 'We have to check your browser.', code: 'proof-of-work-needed', details: { challenge: {} } };
  vi.stubGlobal('fetch', createFetchAnswering(428, JSON.stringify(body)));
  const status = { setAttribute: vi.fn(), remove: vi.fn() };
  vi.stubGlobal('document', { createElement: () => status, body: { append: vi.fn() } });
  const refusedError = await send('POST /api/check-promo-code', {
    body: { productId: 'kinframe', quantity: 1, extraPackages: 0, promoCode: 'SUMMER' },
  }).catch((error: unknown) => error);
  expect(errorText(refusedError)).toBe('We have to check your browser.');
  expect(status.remove).toHaveBeenCalledOnce();
});
