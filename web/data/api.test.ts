import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, query, queryOrNull, send } from './api.ts';
import { errorWords, isOffline, isRefusal } from './error-words.ts';
import { createQueryClient } from './query-client.ts';

const answering = (status: number, body: string) =>
  vi.fn<(url: string, init?: RequestInit) => Promise<Response>>(async () => new Response(body, { status }));

beforeEach(() => vi.stubGlobal('location', { search: '' }));
afterEach(() => vi.unstubAllGlobals());

test('a query key is the URL cut at its slashes', async () => {
  const options = query('/api/delivery/:token', { params: { token: 'a/b' } });
  expect(options.queryKey).toEqual(['/api', 'delivery', 'a%2Fb']);
  const fetch = answering(200, '{"fine":true}');
  expect(await createQueryClient(fetch).fetchQuery(options)).toEqual({ fine: true });
  expect(fetch.mock.calls[0]?.[0]).toBe('/api/delivery/a%2Fb');
});

test('every call says who looks and brings cookies; only a body has a content type', async () => {
  vi.stubGlobal('location', { search: '?session=abc' });
  const fetch = answering(200, '{"success":true}');
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

test('without a session the visitor is demo-user', async () => {
  const fetch = answering(200, '[]');
  await createQueryClient(fetch).fetchQuery(query('/data/faqs.json'));
  expect(fetch.mock.calls[0]?.[1]?.headers).toMatchObject({ 'x-user-id': 'demo-user' });
});

test('a 401 raises, or is null where that was asked for', async () => {
  const client = createQueryClient(answering(401, '{"message":"Please sign in to continue."}'));
  await expect(client.fetchQuery(query('/api/auth/user'))).rejects.toThrow('401: {"message":"Please sign in');
  client.clear();
  expect(await client.fetchQuery(queryOrNull('/api/auth/user'))).toBeNull();
});

test('an error reads STATUS: body, and knows the shop’s words', () => {
  const error = new ApiError(409, '{"message":"Full.","code":"photo-limit-reached","fields":{"email":"Wrong"}}');
  expect(error.message).toBe('409: {"message":"Full.","code":"photo-limit-reached","fields":{"email":"Wrong"}}');
  expect([error.words, error.code, error.fields]).toEqual(['Full.', 'photo-limit-reached', { email: 'Wrong' }]);
  expect(isRefusal(error, 'photo-limit-reached')).toBe(true);
  expect(errorWords(error)).toBe('Full.');
});

test('a failure without words gets the screen’s', () => {
  expect(errorWords(new ApiError(502, '<html>Bad gateway</html>'), 'Please try again.')).toBe('Please try again.');
  expect(errorWords(new TypeError('Failed to fetch'))).toContain('connection');
});

test.each([
  'Failed to fetch dynamically imported module: https://shop.example/assets/x.js',
  'error loading dynamically imported module',
  'Importing a module script failed.',
])('a part of the page that does not come is no lost line: %s', (words) => {
  expect(isOffline(new TypeError(words))).toBe(false);
  expect(errorWords(new TypeError(words))).toContain('A part of this page could not be loaded');
});

test.each(['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])(
  'a line that is lost is known in any browser: %s',
  (words) => expect(isOffline(new TypeError(words))).toBe(true),
);
