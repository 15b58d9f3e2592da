import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Db } from '#shop/ports/database.ts';
import type { TokenPurpose } from '#shop/tokens/tokens.sql.ts';
import { issueToken } from '#shop/tokens/tokens.ts';
import { validBodies } from '#test/bodies.ts';
import { apiOperationList, type ApiOperation } from '#test/calls.ts';
import { describeOnPostgres } from '#test/database.ts';
import { createAnnaWithAllData, idNamesByPathSegment } from '#test/all-data.ts';
import {
  anna,
  annasPassword,
  buyAndVerify,
  fetchFrames,
  createPhotoForm,
  createSmallPhoto,
  uploadTo,
} from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type ShopResponse, type TestShop } from '#test/shop.ts';

/** How often to run the test, each time with a new shop and another seed. */
const roundCount = Number(process.env['AT_ONCE_ROUNDS'] ?? 1);
const callsAtOnce = 12;
const firstSeed = Number(process.env['AT_ONCE_SEED'] ?? 1);

/**
 * Calls that change data. Reads are left out, because they take no locks. Sign-ins are left out, because they are
 * slowed down after a few wrong passwords.
 */
const changingCalls = apiOperationList.filter(
  ({ method, path }) =>
    !['GET', 'HEAD'].includes(method) && !/outage|second-factor|\/(auth\/login|prove|password)$/.test(path),
);
/**
 * Calls that end a session, link or account that other calls need. They run only in the second round, together with all
 * other calls.
 */
const isAccessEndingCall = ({ route }: ApiOperation) =>
  /\/(logout|erase|delete|change-email|reset-password)$|sessions|^DELETE .*-links?$|customer-upload\/finalize$/.test(
    route,
  );
/** These calls need a new token of an email, because each token works once. */
const tokenPurposes: Record<string, TokenPurpose> = {
  'POST /api/auth/reset-password': 'password-reset',
  'POST /api/auth/confirm-email': 'email-confirmation',
  'POST /api/auth/link/login': 'sign-in',
};
/** Values that replace fields of a valid body. They let other calls continue, or lock more rows. */
const replacedFields: Record<string, object> = {
  'POST /api/auth/reset-password': { password: annasPassword },
  'PUT /api/devices/:id/collect-link': { isPaused: false },
  'PUT /api/admin/users/:id': { reuploadCredits: 3, basePhotoLimit: 90 },
};

describeOnPostgres((fresh) => {
  for (let seed = firstSeed; seed < firstSeed + roundCount; seed++)
    test(
      `concurrent changes of one customer’s data cause no deadlock (seed ${seed})`,
      { timeout: 120_000 },
      async () => {
        const testShop = await openTestShop(fresh);
        const annasData = await createAnnaWithAllData(testShop);
        const [link] = (await readAllTables(testShop.shop.db))['collect_links'] as { id: string }[];
        annasData.ids['collectLink'] = link!.id;
        annasData.ids['anotherFrame'] = await buyAnotherFrame(annasData);
        await testShop.shop.db.execute(sql`update customers set email_proven_at = now()`);
        await slowDownUpdates(testShop.shop.db);
        const failures: string[] = [];
        let done = 0;
        const arbitraryOrderOf = (some: ApiOperation[]) => fc.shuffledSubarray(some, { minLength: some.length });
        const sendAllAtOnce = async (some: ApiOperation[]) => {
          const [waiting = []] = fc.sample(arbitraryOrderOf(some), { seed, numRuns: 1 });
          const sendOneByOne = async () => {
            for (let call = waiting.pop(); call; call = waiting.pop()) {
              const { status, text } = await sendAsCaller(testShop, annasData, call, waiting.length);
              if (status >= 500) failures.push(`${call.route}: ${text}`);
              if (status < 300) done += 1;
            }
          };
          await Promise.all(Array.from({ length: callsAtOnce }, sendOneByOne));
        };
        const accessEndingCalls = changingCalls.filter(isAccessEndingCall);
        const otherCalls = changingCalls.filter((call) => !isAccessEndingCall(call));
        await sendAllAtOnce([...otherCalls, ...otherCalls]);
        annasData.tokens['email-change'] = await issueEmailChangeToken(testShop);
        await sendAllAtOnce([...otherCalls, ...accessEndingCalls, ...accessEndingCalls]);
        expect(failures).toEqual([]);
        expect(done).toBeGreaterThan(changingCalls.length / 2);
      },
    );
});

/** Makes every write of a row take longer, so that more writes overlap. */
async function slowDownUpdates(db: Db): Promise<void> {
  await db.execute(sql`create function linger() returns trigger language plpgsql as $$
    begin perform pg_sleep(random() * 0.02); return null; end $$`);
  for (const table of Object.keys(await readAllTables(db)))
    await db.execute(
      sql`create trigger linger after insert or update or delete on ${sql.identifier(table)} execute function linger()`,
    );
}

/** Anna buys another frame and uploads a photo to it. Returns the frame's id. */
async function buyAnotherFrame({ browser }: CustomerWithEverything): Promise<string> {
  const frameIdsBefore = new Set((await fetchFrames(browser)).map((it) => it.deviceId));
  await buyAndVerify(browser);
  const { deviceId } = (await fetchFrames(browser)).find((it) => !frameIdsBefore.has(it.deviceId))!;
  await uploadTo(browser, deviceId);
  return deviceId;
}

/** The token that confirms Anna's new email address. */
async function issueEmailChangeToken({ shop: { db }, clock }: TestShop): Promise<string> {
  const [change] = (await readAllTables(db))['email_changes'] as { id: string }[];
  return issueToken(db, clock, { purpose: 'email-change', subjectId: change!.id, seconds: 3600 });
}

type CustomerWithEverything = Awaited<ReturnType<typeof createAnnaWithAllData>>;

/** Sends the call as a caller who is authorized. Signs in again if another call has ended the session. */
async function sendAsCaller(
  it: TestShop,
  everything: CustomerWithEverything,
  call: ApiOperation,
  turn: number,
): Promise<ShopResponse> {
  const { ids, tokens, browser: annas, admin } = everything;
  const browser = it.browser({ address: `10.0.${turn >> 8}.${turn & 255}` });
  const isOwnerCall = call.who === 'admin' || call.path.startsWith('/api/sandbox');
  for (const [name, value] of (isOwnerCall ? admin : annas).cookies) browser.cookies.set(name, value);
  if (call.who === 'link') browser.cookies.set('upload-link', tokens['upload-link']);
  if (call.path.startsWith('/api/collect/'))
    browser.cookies.set(`contributor-${ids['collectLink']}`, tokens.contributor);
  const sendGoodRequest = async () => {
    const { path, body, headers } = await createGoodRequest(it, call, everything, turn);
    return browser.call(call.method, path, body, headers);
  };
  const response = await sendGoodRequest();
  if (response.status !== 401) return response;
  if (isOwnerCall) await browser.post('/api/admin/auth/password', { password: adminPassword });
  else await browser.post('/api/auth/login', { email: anna.email, password: annasPassword });
  return sendGoodRequest();
}

/** A valid request for an operation. Each turn uses another one of the suitable ids. */
async function createGoodRequest(
  { shop, clock }: TestShop,
  call: ApiOperation,
  { ids, tokens }: CustomerWithEverything,
  turn: number,
) {
  const { route, path, multipart, piece } = call;
  const purpose = tokenPurposes[route];
  const tokenRequest = { purpose: purpose!, subjectId: ids['customer']!, seconds: 3600 };
  const newToken = purpose && (await issueToken(shop.db, clock, tokenRequest));
  const findFittingValue = (field: string, segment = ''): string | undefined => {
    const idNames = idNamesByPathSegment[field === 'id' ? segment : field] ?? [];
    const kind = [...idNames, ...(idNames.includes('frame') ? ['anotherFrame'] : [])].filter((it) => it in ids);
    return ids[kind[turn % kind.length] ?? ''];
  };
  const chooseValueForField = (field: string, value: unknown) => {
    if (field === 'key') return crypto.randomUUID();
    if (field === 'token') return route.endsWith('/change-email') ? tokens['email-change'] : (newToken ?? value);
    if (Array.isArray(value) && value[0] === 'none') return [findFittingValue(field)];
    return typeof value === 'string' && value.includes('none') ? (findFittingValue(field) ?? value) : value;
  };
  const replaceIds = (body: unknown) =>
    Array.isArray(body) || typeof body !== 'object' || body === null
      ? body
      : Object.fromEntries(
          Object.entries({ ...body, ...replacedFields[route] }).map(([field, value]) => [
            field,
            chooseValueForField(field, value),
          ]),
        );

  const segments = path.split('/').map((segment, at, all) => {
    if (segment === ':token') return tokens[all[at - 1] as keyof typeof tokens];
    return segment.startsWith(':')
      ? (findFittingValue(segment.slice(1), all[at - 1]) ?? pathParameters[segment] ?? 'none')
      : segment;
  });
  const form = multipart ? createPhotoForm(ids['frame'], await createSmallPhoto()) : undefined;
  if (form && path.includes('/returns'))
    for (const [name, value] of Object.entries({ ...returnFields, frameIds: findFittingValue('deviceId') ?? '' }))
      form.append(name, name === 'key' ? crypto.randomUUID() : value);
  const bytes = piece ? Buffer.alloc(100) : undefined;
  const headers: Record<string, string> = piece ? pieceHeaders : {};
  return {
    path: segments.join('/'),
    body: form ?? bytes ?? replaceIds((validBodies as Record<string, unknown>)[route]),
    headers,
  };
}
/** The fields of the forms of a return, for the customer and the owner. */
const returnFields = { reason: 'damaged', words: '', answer: 'Send it back.', tellCustomer: 'true', key: '' };
const pathParameters: Record<string, string> = { ':product': 'kinframe', ':section': 'hero' };
const pieceHeaders = {
  'tus-resumable': '1.0.0',
  'upload-offset': '100',
  'content-type': 'application/offset+octet-stream',
};
