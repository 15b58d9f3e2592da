import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { safeParse } from 'zod/v4/core';
import { api } from '#contract/api.ts';
import type { Operation } from '#contract/operation.ts';
import { validBodies } from '#test/bodies.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type ShopResponse, type TestShop } from '#test/shop.ts';

const hostileTexts = [
  '\u0000',
  'Anna\u0000Keller@example.com',
  'x\udfff',
  'x'.repeat(100_000),
  `${'x'.repeat(9_000)}@example.com`,
  "<script>alert(1)</script>'; drop table orders; --\u202egpj.exe\u200b👩‍👩‍👧‍👦../../etc/passwd\r\nBcc: all@example.com ${7*7}{{7*7}}",
  '__proto__',
  '2026-13-45',
];
const hostileValues: unknown[] = [
  ...hostileTexts,
  undefined,
  null,
  [],
  {},
  { $ne: null },
  true,
  -1,
  1.5,
  1e9,
  2 ** 53,
  1e308,
  '',
  ' ',
  '1',
];
const hostileIds = [
  '%00',
  'a%00b',
  '..%2f..%2fetc%2fpasswd',
  '%27%20or%201%3D1--',
  '%F0%9F%98%80',
  '%E2%80%AE',
  '__proto__',
  'constructor',
  '%0d%0aset-cookie:x=1',
  '%5B%5D',
  'x'.repeat(300),
  'x'.repeat(301),
  'x'.repeat(4000),
  '-1',
  '0',
  'null',
  'undefined',
];

describeOnFastestEngine((fresh) => {
  const routes = Object.entries(api as Record<string, Operation>);

  test('refuses every malformed body with an error message and changes nothing', { timeout: 240_000 }, async () => {
    const testShop = await openTestShop(fresh);
    const sendCall = await createCallAsEveryone(testShop);
    for (const [route, good] of Object.entries(validBodies))
      await expectRefusalOfSpoilt(testShop, sendCall, route, good);
  });

  async function expectRefusalOfSpoilt(
    it: TestShop,
    call: Awaited<ReturnType<typeof createCallAsEveryone>>,
    route: string,
    good: object,
  ) {
    const operation = (api as Record<string, Operation>)[route]!;
    const isRefused = (body: unknown) => !safeParse(operation.body!, body).success || isUnstorable(body);

    const spoiltBodies = [
      undefined,
      null,
      [],
      [good],
      'text',
      12,
      true,
      { ...good, x: 'x'.repeat(1_000_000) },
      ...hostileValues.flatMap((value) => createInvalidVariants(good, value)),
    ];
    const refusedBodies = spoiltBodies.filter(isRefused);
    expect(refusedBodies.length).toBeGreaterThan(20);
    const tablesBefore = await readAllTables(it.shop.db);
    for (const body of refusedBodies) expectRefusalWithMessage(await call(route, body), route, body);
    for (const text of [
      nestObject(20_000, good),
      '{"__proto__":{"a":1}}',
      '{"constructor":{"prototype":{"a":1}}}',
      '{',
    ])
      expectRefusalWithMessage(await call(route, text, { isText: true }), route, text.slice(0, 100));
    expect(await readAllTables(it.shop.db)).toEqual(tablesBefore);

    // A body that the contract accepts may be refused or processed, but must not cause a 500.
    for (const body of spoiltBodies.filter((it) => !isRefused(it))) expectNoFault(await call(route, body), route, body);
  }

  test(
    'answers hostile ids and queries with a refusal or an empty result, never with a 500',
    { timeout: 240_000 },
    async () => {
      const testShop = await openTestShop(fresh);
      const sendCall = await createCallAsEveryone(testShop);
      const tablesBefore = await readAllTables(testShop.shop.db);
      for (const [route, { params, query, body }] of routes) {
        const validBody = (validBodies as Record<string, unknown>)[route];
        if (params)
          for (const id of hostileIds) {
            const response = await sendCall(route, validBody, { id });
            // The specification wants this route to answer 200 with `valid: false`.
            if (route === validateRoute && response.status === 200) expect(response.json.valid, id).toBe(false);
            else expectRefusalWithMessage(response, route, id);
          }
        const queryNames = query ? Object.keys((query as unknown as { shape: object }).shape) : [];
        // Leave out `admin_key`: a guard reads it, not the operation.
        const names = queryNames.filter((it) => it !== 'admin_key');
        for (const name of names)
          for (const value of hostileIds) {
            const response = await sendCall(route, body && validBody, { search: `?${name}=${value}` });
            expectNoFault(response, route, value);
            if (value.includes('%00') || value.length > 300) expectRefusalWithMessage(response, route, value);
            expectNoFault(
              await sendCall(route, body && validBody, { search: `?${name}=${value}&${name}=${value}` }),
              route,
              value,
            );
            expectNoFault(
              await sendCall(route, body && validBody, { search: `?${name}[]=${value}&${name}[a][b]=1&%` }),
              route,
              value,
            );
          }
      }
      const visitor = testShop.browser();
      for (const path of ['/uploads/', '/uploads/qr-', '/videos/', '/videos/all/', '/api/delivery/', '/api/', '/data/'])
        for (const id of hostileIds) {
          expectRefusalWithMessage(await visitor.get(path + id), path, id);
          expectRefusalWithMessage(await visitor.get(`${path}${id}.jpg?download=${id}&range=${id}`), path, id);
        }
      expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    },
  );
});

const validateRoute = 'GET /api/upload-token/validate/:token';

/**
 * Returns a function that sends calls with Anna's and the admin's cookies. Each call comes from another IP address, so
 * that no rate limit applies.
 */
async function createCallAsEveryone(it: TestShop) {
  const { browser, frames } = await buyFramesAsAnna(it);
  await uploadTo(browser, frames[0]!.deviceId);
  await browser.post('/api/admin/auth/password', { password: adminPassword });
  const cookies = [...browser.cookies];
  let callCount = 0;
  return async (
    route: string,
    body: unknown,
    { id = 'none', search = '', isText = false } = {},
  ): Promise<ShopResponse> => {
    const [method, path] = route.split(' ') as [string, string];
    callCount += 1;
    await it.shop.db.execute(sql`delete from tries`);
    const caller = it.browser({ address: `10.9.${callCount >> 8}.${callCount & 255}` });
    for (const [name, value] of cookies) caller.cookies.set(name, value);
    const headers = isText ? { 'content-type': 'application/json' } : {};
    const payload = isText || body === undefined ? (body as string) : JSON.stringify(body);
    return caller.call(
      method,
      path.replace(/:\w+/, id) + search,
      payload,
      payload === undefined ? {} : { 'content-type': 'application/json', ...headers },
    );
  };
}

/** Variants of a body: in each variant, one field or nested field is replaced by this value. */
function createInvalidVariants(body: unknown, value: unknown): unknown[] {
  return Object.entries(body as object).flatMap(([name, field]) => [
    { ...(body as object), [name]: value },
    ...(typeof field === 'object' && field !== null && !Array.isArray(field)
      ? createInvalidVariants(field, value).map((spoilt) => ({ ...(body as object), [name]: spoilt }))
      : []),
  ]);
}

const isUnstorable = (body: unknown): boolean =>
  typeof body === 'string'
    ? body.includes('\0') || !body.isWellFormed()
    : typeof body === 'object' && body !== null && Object.values(body).some(isUnstorable);

/** The JSON of a body whose first field is replaced by this many nested arrays. */
const nestObject = (depth: number, good: object) =>
  JSON.stringify({ ...good, [Object.keys(good)[0]!]: 'HERE' }).replace('"HERE"', '['.repeat(depth) + ']'.repeat(depth));

const describeResponse = (route: string, sent: unknown, answer: ShopResponse) =>
  `${route} with ${JSON.stringify(sent)?.slice(0, 200)} answered ${answer.status} ${answer.text.slice(0, 300)}`;

function expectNoFault(answer: ShopResponse, route: string, sent: unknown) {
  expect(answer.status, describeResponse(route, sent, answer)).toBeLessThan(500);
  expect(answer.text, describeResponse(route, sent, answer)).not.toMatch(
    /node_modules|\.ts:\d|Failed query|syntax error/,
  );
}
function expectRefusalWithMessage(answer: ShopResponse, route: string, sent: unknown) {
  expectNoFault(answer, route, sent);
  expect(answer.status, describeResponse(route, sent, answer)).toBeGreaterThanOrEqual(400);
  if (route.startsWith('HEAD ')) return; // HEAD has no body
  expect(answer.json, describeResponse(route, sent, answer)).toMatchObject({
    success: false,
    code: expect.stringMatching(/^[a-z-]+$/),
  });
  expect(answer.json.message).toMatch(/^[A-Z].{10,}/);
  expect(answer.json.message).not.toMatch(/expected|received|Invalid input/);
}
