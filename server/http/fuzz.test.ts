import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { safeParse } from 'zod/v4/core';
import { validBodies } from '#test/bodies.ts';
import { apiOperationList, type ApiOperation } from '#test/calls.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { createAnnaWithAllData, idNamesByPathSegment } from '#test/all-data.ts';
import { createArbitrary, createInvalidArbitrary, type Schema } from '#test/from-schema.ts';
import { anna, annasPassword, buyAndVerify, fetchFrames, createSmallPhoto, uploadTo } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type ShopResponse, type Browser, type TestShop } from '#test/shop.ts';
import { ErrorBody } from './common/serve.ts';

/** How often each authorized caller calls each operation. With the same seed, the requests are the same. */
const runCount = Number(process.env['FUZZ_RUNS'] ?? 20);
const runsOfOthers = 3;
const seed = Number(process.env['FUZZ_SEED'] ?? 1);

const benOde = { ...anna, firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com' };

/** Calls that end a session or account that other calls need. They run last. */
const isAccessEndingCall = ({ path }: ApiOperation) => /\/(logout|erase|delete|outage)$/.test(path);

describeOnFastestEngine((fresh) => {
  test(
    'responds to generated requests of every operation as the contract says, and changes no data of others',
    { timeout: 1_800_000 },
    async () => {
      const testShop = await openTestShop(fresh);
      const { db } = testShop.shop;
      const { browser, admin, ids, tokens } = await createAnnaWithAllData(testShop);
      await testShop.shop.database.jobs.stopWorkers(); // after this, only calls change data
      const ben = testShop.browser();
      await buyAndVerify(ben, { customerDetails: benOde });
      await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
      const [bensFrame] = await fetchFrames(ben);
      const { json: bensPhoto } = await uploadTo(ben, bensFrame!.deviceId);
      const { id: bensId } = (await ben.get('/api/auth/user')).json;
      const bensValues = [bensId, bensFrame!.deviceId, bensPhoto.id, benOde.email] as string[];

      const idsOfAllCustomers = { ...ids, bensFrame: bensFrame!.deviceId, bensPhoto: bensPhoto.id, bensId } as Ids;
      // Anna's browser also has her own upload link and collect link.
      browser.cookies.set('upload-link', tokens['upload-link']);
      const [link] = (await readAllTables(db))['collect_links'] as { id: string }[];
      browser.cookies.set(`contributor-${link!.id}`, tokens.contributor);
      const callers: Caller[] = [
        { who: 'a visitor', cookies: new Map(), ids: idsOfAllCustomers, mayMove: () => false },
        {
          who: 'Anna',
          cookies: browser.cookies,
          ids: idsOfAllCustomers,
          tokens,
          mayMove: (row) => !bensValues.some((word) => row.includes(word)),
          comeBack: () =>
            signInAgainIfSignedOut(browser, '/api/auth/user', '/api/auth/login', {
              email: anna.email,
              password: annasPassword,
            }),
        },
        {
          who: 'the owner',
          cookies: admin.cookies,
          ids: idsOfAllCustomers,
          tokens,
          mayMove: () => true,
          comeBack: () =>
            signInAgainIfSignedOut(admin, '/api/admin/security', '/api/admin/auth/password', {
              password: adminPassword,
            }),
        },
      ];
      const document = (await testShop.browser().get('/api/openapi.json')).json as Document;

      const responseFaults: string[] = [];
      for (const callGroup of [
        apiOperationList.filter((call) => !isAccessEndingCall(call)),
        apiOperationList.filter(isAccessEndingCall),
      ])
        for (const caller of callers) {
          let untouched = [...(await readRows(testShop))].filter((row) => !caller.mayMove(row));
          for (const call of callGroup) {
            const describedCall = document.paths[call.path.replaceAll(/:(\w+)/g, '{$1}')]![call.method.toLowerCase()]!;
            const generatedRequests = arbitraryRequests(call, describedCall, document, caller);
            const result = await fc.check(
              fc.asyncProperty(generatedRequests, async (question) => {
                const responseFault = findResponseFault(
                  call,
                  describedCall,
                  await sendGeneratedRequest(testShop, caller, call, question),
                );
                if (responseFault) throw new Error(responseFault);
              }),
              { seed, numRuns: countRunsOf(call, caller) },
            );
            const label = `${caller.who}: ${call.route}`;
            if (result.failed) responseFaults.push(`${label} ${await fc.asyncDefaultReportMessage(result)}`);
            if (untouched.length > 0) {
              const rowsNow = await readRows(testShop);
              const changedRows = untouched.filter((row) => !rowsNow.has(row));
              if (changedRows.length > 0) responseFaults.push(`${label} moved ${changedRows.join('\n')}`);
              untouched = untouched.filter((row) => rowsNow.has(row));
            }
            testShop.shop.sandbox?.switchOff(0);
            await caller.comeBack?.();
          }
        }
      expect(responseFaults).toEqual([]);
    },
  );
});

const countRunsOf = ({ who, path }: ApiOperation, caller: Caller): number => {
  if (who === 'anyone' && !path.startsWith('/api/sandbox')) return Math.ceil(runCount / 3);
  const isLetIn = caller.who === (who === 'admin' || who === 'anyone' ? 'the owner' : 'Anna');
  return isLetIn ? runCount : runsOfOthers;
};

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}
interface DocumentedOperation {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string }>;
}
type Ids = Record<string, string>;
interface Caller {
  who: string;
  cookies: Map<string, string>;
  ids: Ids;
  /** Tokens of links that the caller has. */
  tokens?: Record<string, string>;
  /** True if the caller's requests may change this earlier row. */
  mayMove: (row: string) => boolean;
  /** Signs in again if a call has ended the session. */
  comeBack?: () => Promise<void>;
}
interface GeneratedRequest {
  params: string[];
  query: [string, string][];
  body?: unknown;
  headers: Record<string, string>;
}

/** All rows as texts, each with the name of its table. */
async function readRows({ shop }: TestShop): Promise<Set<string>> {
  const rows = Object.entries(await readAllTables(shop.db));
  return new Set(rows.flatMap(([table, its]) => its.map((row) => `${table} ${JSON.stringify(row)}`)));
}

async function signInAgainIfSignedOut(browser: Browser, whoAmI: string, signIn: string, words: object) {
  if ((await browser.get(whoAmI)).status === 401) await browser.post(signIn, words);
}

const isIdField = (field: string) => /(^|[a-z])(ids?|session)$/i.test(field) && field !== 'productId';

type FindKnownValue = (name: string) => fc.Arbitrary<string> | undefined;

/** Generates valid requests, and requests with a mistake. */
function arbitraryRequests(
  call: ApiOperation,
  described: DocumentedOperation,
  document: Document,
  caller: Caller,
): fc.Arbitrary<GeneratedRequest> {
  const refs = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [`#/components/schemas/${name}`, schema]),
  );
  const anyId = fc.constantFrom(...Object.values(caller.ids), 'none');
  const arbitraryToken = fc.constantFrom(...Object.values(caller.tokens ?? {}), 'none');
  const findKnownValue: FindKnownValue = (name) => {
    if (/token$/i.test(name)) return arbitraryToken;
    if (/password$/i.test(name)) return fc.constantFrom('Kite-over-sea-4', 'kite', adminPassword.slice(1));
    if (!isIdField(name)) return undefined;
    const fittingIds = fc.constantFrom(
      ...(idNamesByPathSegment[name] ?? Object.keys(caller.ids)).map((kind) => caller.ids[kind]!),
    );
    return fc.oneof({ weight: 3, arbitrary: fittingIds }, { weight: 1, arbitrary: anyId });
  };
  const schemaContext = { refs, known: findKnownValue };
  const parametersIn = (place: string) => (described.parameters ?? []).filter((parameter) => parameter.in === place);

  const params = parametersIn('path').map(({ name, schema }) => {
    const pathSegments = call.path.slice(1, call.path.indexOf(`:${name}`) - 1).split('/');
    const segmentName =
      pathSegments.findLast((it) => it in idNamesByPathSegment || (caller.tokens && it in caller.tokens)) ?? '';
    const fittingTokens =
      name === 'token'
        ? [caller.tokens?.[segmentName] ?? caller.tokens?.['upload-link'] ?? 'none']
        : (idNamesByPathSegment[segmentName] ?? Object.keys(caller.ids)).map((kind) => caller.ids[kind] ?? 'none');
    return fc
      .oneof(
        { weight: 4, arbitrary: fc.constantFrom(...fittingTokens) },
        { weight: 1, arbitrary: anyId },
        { weight: 1, arbitrary: createArbitrary(schema, { refs }) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }) },
      )
      .map((value) => String(value).toWellFormed().slice(0, 100))
      .filter((value) => !/^\.{0,2}$/.test(value)); // a browser would turn these values into a different path
  });
  const query = parametersIn('query')
    .filter(({ name }) => name !== 'admin_key')
    .map(({ name, schema, required }) => {
      const values = createArbitrary(schema, schemaContext, name);
      const arbitraryValue = fc
        .oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) })
        .map((value) => [[name, String(value).toWellFormed()]] as [string, string][]);
      const repeatedPairs = arbitraryValue.map((pairs) => [...pairs, ...pairs]);
      return fc.oneof(
        { weight: 4, arbitrary: arbitraryValue },
        { weight: required ? 1 : 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: repeatedPairs },
      );
    });

  return fc.record({
    params: fc.tuple(...params),
    query: fc.tuple(...query).map((pairs) => pairs.flat()),
    body: createArbitraryBodies(call, described, schemaContext),
    headers: call.path.includes('/arrivals')
      ? createArbitraryPieceHeaders(findKnownValue('deviceId')!)
      : fc.constant({}),
  });
}

function createArbitraryBodies(
  call: ApiOperation,
  described: DocumentedOperation,
  from: { refs: Record<string, Schema>; known: FindKnownValue },
) {
  if (call.multipart) return arbitraryForms(from.known);
  if (call.piece) return fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  const schema = described.requestBody?.content['application/json']?.schema;
  if (!schema) return fc.constant(undefined);
  const validBody = (validBodies as Record<string, unknown>)[call.route];
  const contractBody = createArbitrary(schema, from);
  // Mix fields of a valid body with generated fields. Most of these bodies then also follow rules that a schema cannot
  // express.
  const mixedBody =
    Array.isArray(validBody) || typeof validBody !== 'object' || validBody === null
      ? fc.constant(validBody)
      : fc
          .tuple(contractBody, fc.array(fc.constantFrom(...Object.keys(validBody)), { maxLength: 2 }))
          .map(([body, fields]) => ({
            ...validBody,
            ...Object.fromEntries(
              Object.entries(body ?? {}).filter(
                ([field]) => fields.includes(field) || isIdField(field) || /token$/i.test(field),
              ),
            ),
          }));
  return fc.oneof(
    { weight: 3, arbitrary: mixedBody },
    { weight: 2, arbitrary: contractBody },
    { weight: 1, arbitrary: createInvalidArbitrary(mixedBody) },
    { weight: 1, arbitrary: createInvalidArbitrary(contractBody) },
  );
}

/** Generates forms with the fields of all forms. Their files are a photo, the beginning of a photo, or random bytes. */
function arbitraryForms(known: FindKnownValue): fc.Arbitrary<Form> {
  const anyText = fc.string({ maxLength: 30 });
  return fc.record({
    fields: fc.record({
      deviceId: known('deviceId')!,
      orderId: known('orderId')!,
      key: fc.option(fc.oneof(fc.uuid(), anyText), { nil: undefined }),
      section: fc.oneof(fc.constantFrom('hero', 'gallery'), anyText),
      invitationCode: anyText,
      frameIds: known('deviceId')!,
      reason: fc.oneof(fc.constantFrom('damaged', 'other'), anyText),
      answer: anyText,
      tellCustomer: fc.constantFrom('true', 'false'),
      token: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: anyText }),
    }),
    files: fc.array(
      fc.record({
        field: fc.constantFrom('image', 'files[]', 'photos[]', 'file', 'film', 'qrPhoto', 'photo', 'label'),
        name: fc.oneof(fc.constantFrom('photo.jpg', '../../photo.jpg', 'a"b\r\n.png'), anyText),
        bytes: fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom('photo', 'half a photo') },
          { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }) },
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  });
}
interface Form {
  fields: Record<string, string | undefined>;
  files: { field: string; name: string; bytes: string | Uint8Array }[];
}
const photoPromise = createSmallPhoto();
async function createForm({ fields, files }: Form): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  for (const { field, name, bytes } of files) {
    const wholePhoto = await photoPromise;
    const fileBytes = bytes === 'photo' ? wholePhoto : typeof bytes === 'string' ? wholePhoto.subarray(0, 200) : bytes;
    form.append(field, new Blob([new Uint8Array(fileBytes)]), name);
  }
  return form;
}

/** Generates headers of uploads in pieces. */
const createArbitraryPieceHeaders = (frameIds: fc.Arbitrary<string>) =>
  fc.record({
    'tus-resumable': fc.constantFrom('1.0.0', '1.0.0', '1.0.0', '0.2'),
    'upload-offset': fc.oneof(fc.constantFrom('0', '100', '-1', '1e9', 'x'), fc.nat(200).map(String)),
    'upload-length': fc.oneof(fc.nat(2000).map(String), fc.constantFrom('-1', '99999999999', '1.5', '')),
    'upload-metadata': fc.oneof(
      frameIds.map((id) => `deviceId ${btoa(id)},filename ${btoa('photo.jpg')}`),
      fc.base64String({ maxLength: 40 }).map((it) => `deviceId ${it},filename ${it}`),
      fc.constantFrom('=,=', ''),
    ),
  });

let requestCount = 0;
/**
 * Sends the request with the cookies that the caller had first. Each request comes from another IP address, so that no
 * rate limit applies.
 */
async function sendGeneratedRequest(
  it: TestShop,
  caller: Caller,
  call: ApiOperation,
  { params, query, body, headers }: GeneratedRequest,
): Promise<ShopResponse> {
  requestCount += 1;
  await it.shop.db.execute(sql`delete from tries`);
  const browser = it.browser({
    address: `10.${(requestCount >> 16) & 255}.${(requestCount >> 8) & 255}.${requestCount & 255}`,
  });
  for (const [name, value] of caller.cookies) browser.cookies.set(name, value);
  let place = 0;
  const path = call.path.replaceAll(/:\w+/g, () => encodeURIComponent(params[place++]!));
  const search = new URLSearchParams(query).toString();
  const sentBody = call.multipart ? await createForm(body as Form) : body;
  return browser.call(call.method, search ? `${path}?${search}` : path, sentBody, {
    ...headers,
    ...(call.piece && { 'content-type': 'application/offset+octet-stream' }),
  });
}

const internalDetailsPattern =
  /node_modules|\.ts:\d|\n\s+at |Failed query|syntax error|violates|relation "|\bselect .+ from\b|insert into/i;

/** Describes what is wrong with the response. Undefined if nothing is wrong. */
function findResponseFault(
  call: ApiOperation,
  { responses }: DocumentedOperation,
  answer: ShopResponse,
): string | undefined {
  const summary = `${answer.status} ${answer.text.slice(0, 500)}`;
  if (answer.status >= 500) return `broke: ${summary}`;
  if (internalDetailsPattern.test(answer.text)) return `tells of its inside: ${summary}`;
  if (answer.status === (call.status ?? 200)) {
    if (call.method === 'HEAD' || call.status === 204)
      return answer.text === '' ? undefined : `is not silent: ${summary}`;
    const { error } = safeParse(call.response, answer.json);
    return error && `does not answer what it declares: ${error.message} ${summary}`;
  }
  const declaredCodes = responses[String(answer.status)]?.description.split(', ') ?? [];
  if (call.method === 'HEAD')
    return declaredCodes.length > 0 ? undefined : `refuses as it does not declare: ${summary}`;
  if (!safeParse(ErrorBody, answer.json).success) return `refuses in no words: ${summary}`;
  return declaredCodes.includes(answer.json.code) ? undefined : `refuses as it does not declare: ${summary}`;
}
