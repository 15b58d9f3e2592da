import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { build } from '../../scripts/build.ts';
import { validBodies } from '../bodies.ts';
import { apiOperationList, type ApiOperation } from '../calls.ts';
import { createMigratedDataFolder } from '../database.ts';
import { buyFramesAsAnna, annasPassword, anna, createSmallPhoto, uploadTo } from '../people.ts';
import { createResumableUpload } from '../resumable-upload.ts';
import { adminPassword, baseUrl, type Browser, type TestShop } from '../shop.ts';
import { RunningShop } from './running-shop.ts';

beforeAll(() => build(), 600_000);

const boundary = 'a-boundary';
const createMultipartHead = (name: string, fileName?: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"` +
  (fileName === undefined ? '' : `; filename="${fileName}"\r\ncontent-type: image/jpeg`) +
  '\r\n\r\n';

const contentTypes = [
  undefined,
  'application/json',
  'application/json; charset=utf-77',
  'text/plain',
  'application/x-www-form-urlencoded',
  `multipart/form-data; boundary=${boundary}`,
  'multipart/form-data',
  'application/offset+octet-stream',
  'application/octet-stream',
  'image/jpeg',
  'application/xml',
  'text',
  ';;=',
];

test(
  'every operation, with any content type and any body, responds without a server error, and the process keeps running',
  { timeout: 900_000 },
  async () => {
    const testShop = await openShop();
    const agent = new Agent({ keepAlive: true, maxSockets: 6 });
    onTestFinished(() => agent.destroy());
    const photo = await createSmallPhoto();
    const foundFaults: string[] = [];

    const sendRequest = async (call: ApiOperation, type: string | undefined, body: Buffer) => {
      const rawResponse = await sendRaw(agent, testShop.shop.origin + testShop.pathOf(call), {
        method: call.method,
        headers: {
          origin: baseUrl,
          'x-user-id': 'demo-user',
          cookie: formatCookies(testShop.callerOf(call)),
          'content-length': String(body.length),
          ...(type !== undefined && { 'content-type': type }),
          ...(call.path.includes('/arrivals') && testShop.tusHeaders),
        },
        body,
      }).catch((error: Error) => error.message);
      // A 503 is allowed, because one of the operations switches off the sandbox provider.
      if (typeof rawResponse === 'string' || (rawResponse.status >= 500 && rawResponse.status !== 503))
        foundFaults.push(`${call.route} as ${type}: ${JSON.stringify(rawResponse)}`);
    };
    for (const callGroup of [
      apiOperationList.filter((call) => !isAccessEndingCall(call)),
      apiOperationList.filter(isAccessEndingCall),
    ])
      for (const call of callGroup) {
        const validBody = Buffer.from(JSON.stringify((validBodies as Record<string, unknown>)[call.route] ?? {}));
        const form = Buffer.concat([
          Buffer.from(
            `${createMultipartHead('deviceId')}${testShop.frameId}\r\n${createMultipartHead('image', 'photo.jpg')}`,
          ),
          photo,
          Buffer.from(`\r\n--${boundary}--\r\n`),
        ]);
        await Promise.all(
          contentTypes.flatMap((type) => {
            const isForm = type?.startsWith('multipart');
            const wholeBody = isForm ? form : type?.includes('json') ? validBody : photo.subarray(0, 100);
            const incompleteBody = isForm ? form.subarray(0, -60) : Buffer.alloc(0);
            return [wholeBody, incompleteBody].map((body) => sendRequest(call, type, body));
          }),
        );
      }
    expect(foundFaults).toEqual([]);
    await testShop.expectUnharmed();
  },
);

test(
  'refuses an upload announcement that already contains bytes of the photo, for all three kinds of senders',
  { timeout: 300_000 },
  async () => {
    const testShop = await openShop();
    for (const [sender, path] of testShop.arrivalAddresses)
      for (const headers of [{}, { 'upload-metadata': testShop.tusHeaders['upload-metadata'] }])
        for (const bytes of [Buffer.from('hello'), Buffer.alloc(0)]) {
          const response = await sender.call('POST', path, bytes, {
            'tus-resumable': '1.0.0',
            'upload-length': '1000',
            'content-type': 'application/offset+octet-stream',
            ...headers,
          });
          expect([response.status, response.json.code], response.text).toEqual([400, 'invalid-request']);
          expect(response.headers['location']).toBeUndefined();
        }
    await testShop.expectUnharmed();
  },
);

test(
  'broken connections and requests that are not HTTP do not affect other connections',
  { timeout: 600_000 },
  async () => {
    const testShop = await openShop();
    for (let n = 0; n < 3; n++)
      expect((await uploadTo(testShop.anna, testShop.frameId, await createLargePhoto())).status).toBe(200);
    const [frame] = (await testShop.anna.get('/api/frame-photo-limits')).json.frames;
    const photo = new URL(frame.uploads[0].url, testShop.shop.origin).pathname;

    const createRequestHead = (method: string, path: string, by: Browser, ...lines: string[]) =>
      [
        `${method} ${path} HTTP/1.1`,
        'host: x',
        `origin: ${baseUrl}`,
        `cookie: ${formatCookies(by)}`,
        ...lines,
        '',
        '',
      ].join('\r\n');
    const tus = Object.entries(testShop.tusHeaders).map(([name, value]) => `${name}: ${value}`);
    const pieceHeaders = ['tus-resumable: 1.0.0', 'content-type: application/offset+octet-stream', 'upload-offset: 0'];
    const form = `content-type: multipart/form-data; boundary=${boundary}`;
    const fillerText = 'x'.repeat(4000);
    const download = `/api/admin/orders/${testShop.orderId}/download`;

    const brokenRequests: string[] = [
      // Resumable photo uploads.
      ...['-1', '99999999999999999999', 'x', '', '0'].map((length) =>
        createRequestHead(
          'POST',
          '/api/arrivals',
          testShop.anna,
          'tus-resumable: 1.0.0',
          `upload-length: ${length}`,
          'content-length: 0',
        ),
      ),
      createRequestHead('POST', '/api/arrivals', testShop.anna, ...tus, 'upload-defer-length: 1', 'content-length: 0'),
      createRequestHead(
        'POST',
        '/api/arrivals',
        testShop.anna,
        ...tus,
        'upload-concat: final;/a /b',
        'content-length: 0',
      ),
      createRequestHead(
        'POST',
        '/api/arrivals',
        testShop.anna,
        ...tus,
        'x-http-method-override: PATCH',
        'content-length: 0',
      ),
      createRequestHead('POST', '/api/arrivals', testShop.anna, ...tus, ...tus, 'content-length: 0'),
      createRequestHead('PATCH', testShop.arrival, testShop.anna, ...pieceHeaders, 'content-length: 100000') +
        fillerText,
      createRequestHead('PATCH', testShop.arrival, testShop.anna, ...pieceHeaders, 'content-length: 100000'),
      createRequestHead('PATCH', testShop.arrival, testShop.anna, ...pieceHeaders, 'transfer-encoding: chunked') +
        '5\r\nhello\r\n',
      createRequestHead('PATCH', testShop.arrival, testShop.anna, ...pieceHeaders, 'transfer-encoding: chunked') +
        '5\r\nhello\r\nZZ\r\n',
      createRequestHead(
        'PATCH',
        testShop.arrival,
        testShop.anna,
        ...pieceHeaders,
        'transfer-encoding: chunked',
        'trailer: x',
      ) + '5\r\nhello\r\n0\r\nx: y\r\n\r\n',
      createRequestHead(
        'PATCH',
        testShop.arrival,
        testShop.anna,
        ...pieceHeaders,
        'expect: 100-continue',
        'content-length: 100000',
      ),
      createRequestHead(
        'PATCH',
        testShop.arrival,
        testShop.anna,
        ...pieceHeaders,
        'upload-length: 10',
        'content-length: 10',
      ) + 'hello',
      ...['HEAD', 'DELETE', 'OPTIONS', 'GET'].map(
        (method) =>
          createRequestHead(
            method,
            `${testShop.arrival}-none`,
            testShop.anna,
            'tus-resumable: 1.0.0',
            'content-length: 5',
          ) + 'he',
      ),
      // Multipart forms.
      ...[
        '/api/upload',
        '/api/customer-upload',
        `/api/collect/${testShop.collectToken}/photos`,
        '/api/admin/content/upload',
        '/api/admin/gallery/upload',
      ].flatMap((path) =>
        ['image', 'unknown-field', '__proto__'].flatMap((field) => {
          const sendingBrowser = path.includes('admin')
            ? testShop.owner
            : path.includes('collect')
              ? testShop.lina
              : testShop.anna;
          const twoFiles =
            createMultipartHead(field, 'a.jpg') +
            fillerText +
            '\r\n' +
            createMultipartHead(field, 'b.jpg') +
            fillerText;
          return [
            createRequestHead('POST', path, sendingBrowser, form, 'content-length: 100000') + twoFiles,
            createRequestHead('POST', path, sendingBrowser, form, `content-length: ${twoFiles.length}`) + twoFiles,
            createRequestHead('POST', path, sendingBrowser, form, 'content-length: 100000') +
              twoFiles +
              `\r\n--${boundary}\r\ncontent-dispo`,
            createRequestHead('POST', path, sendingBrowser, form, 'transfer-encoding: chunked') +
              `64\r\n${twoFiles.slice(0, 100)}\r\nZZ\r\n`,
          ];
        }),
      ),
      // Downloads and streams whose client disconnects.
      ...['', 'range: bytes=100-2000000'].map((range) =>
        createRequestHead('GET', photo, testShop.anna, ...(range ? [range] : [])),
      ),
      createRequestHead('GET', '/media/gallery/autumn.mp4', testShop.anna, 'range: bytes=100-'),
      createRequestHead('GET', download, testShop.owner),
      createRequestHead('HEAD', download, testShop.owner),
      createRequestHead('GET', '/api/admin/live', testShop.owner),
      createRequestHead('GET', '/api/admin/lists/orders.csv', testShop.owner),
      createRequestHead('GET', '/api/openapi.json', testShop.anna),
      createRequestHead('GET', '/', testShop.anna) +
        createRequestHead('GET', '/upload', testShop.anna) +
        createRequestHead('GET', '/admin', testShop.owner),
      createRequestHead('GET', photo, testShop.anna).repeat(100),
      // Everything else.
      ...['/', '/api/auth/login', '/api/webhooks/stripe', '/health/live', '/sandbox', '/upload', '/nowhere'].flatMap(
        (path) =>
          ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'TRACE', 'PROPFIND'].flatMap((method) =>
            [
              ['content-length: 100', 'content-type: application/json'],
              ['transfer-encoding: chunked'],
              ['expect: 100-continue', 'content-length: 3'],
              ['expect: nonsense'],
              ['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', 'sec-websocket-key: AAAA'],
              ['content-encoding: gzip', 'content-type: application/json', 'content-length: 5'],
            ].map((lines) => createRequestHead(method, path, testShop.anna, ...lines) + '{"a'),
          ),
      ),
      createRequestHead('GET', '/', testShop.anna, `x: ${'y'.repeat(100_000)}`),
      createRequestHead('GET', '/', testShop.anna, ...Array.from({ length: 3000 }, (_, n) => `x${n}: y`)),
      'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x00\x00',
    ];
    const port = Number(new URL(testShop.shop.origin).port);
    for (const waitMs of [0, 3, 60])
      for (let at = 0; at < brokenRequests.length; at += 10)
        await Promise.all(
          brokenRequests
            .slice(at, at + 10)
            .map((bytes, place) => sendAndDisconnect(port, bytes, waitMs, place % 2 === 0)),
        );
    await testShop.expectUnharmed();
  },
);

/** Whether the operation removes data that other requests need. Such operations are sent last. */
const isAccessEndingCall = ({ path }: ApiOperation) => /\/(logout|erase|delete|outage)$/.test(path);
const formatCookies = (browser: Browser) => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Sends these bytes, then ends or resets the connection after a while without reading the response. */
async function sendAndDisconnect(port: number, bytes: string, waitMs: number, isReset: boolean): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(bytes, 'latin1');
  await once(socket, 'connect');
  await sleep(waitMs);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
}

async function sendRaw(
  agent: Agent,
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body: Buffer },
) {
  const outgoingRequest = request(url, { method, headers, agent });
  outgoingRequest.end(body);
  const [answer] = (await once(outgoingRequest, 'response')) as [IncomingMessage];
  if (String(answer.headers['content-type']).startsWith('text/event-stream')) answer.destroy();
  const bytes = (await answer.toArray().catch(() => [])) as Buffer[];
  return { status: answer.statusCode!, text: Buffer.concat(bytes).toString().slice(0, 300) };
}

/** Larger than the buffers between the shop and its client. */
async function createLargePhoto(): Promise<Buffer> {
  const rawOptions = { width: 1600, height: 1200, channels: 3 as const };
  const noiseOptions = { ...rawOptions, background: '#888', noise: { type: 'gaussian' as const, sigma: 80 } };
  return sharp({ create: noiseOptions }).jpeg({ quality: 98 }).toBuffer();
}

/** A shop in a separate process, with one client for each kind of caller: visitor, customer, owner and so on. */
async function openShop() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-any-request-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const shop = await RunningShop.start(createMigratedDataFolder(dataDir), { RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
  onTestFinished(() => void shop.end('SIGKILL'));
  await shop.waitUntilReady();
  const { browser: annas, frames } = await buyFramesAsAnna({ browser: () => shop.browser() } as unknown as TestShop, {
    quantity: 2,
  });
  const frameId = frames[0]!.deviceId;
  const photo = (await uploadTo(annas, frameId)).json;
  const arrival = await createResumableUpload(annas, frameId, 500_000);
  const owner = shop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const collectResponse = await annas.post(`/api/devices/${frames[1]!.deviceId}/collect-link`, {
    name: 'Grandma’s birthday',
    lastDay: toShopDay(Date.now()),
  });
  const collectToken = new URL(collectResponse.json.url).pathname.split('/').at(-1)!;
  const contributorBrowser = shop.browser();
  expect(
    (await contributorBrowser.post(`/api/collect/${collectToken}/contributors`, { firstName: 'Lina' })).status,
  ).toBe(200);
  const { id: customerId } = (await annas.get('/api/auth/user')).json;
  const linkResponse = await owner.post(`/api/admin/customers/${customerId}/generate-upload-link`);
  const linkToken = /[\w-]{40,}/.exec(new URL(linkResponse.json.uploadUrl).href)![0];
  const guest = shop.browser();
  guest.cookies.set('upload-link', linkToken);
  const orderId = (await annas.get('/api/order-summary')).json.orders[0].id as string;
  const browsersByCaller = {
    anyone: shop.browser(),
    customer: annas,
    link: guest,
    contributor: contributorBrowser,
    admin: owner,
  };
  const ids: Record<string, string> = {
    orders: orderId,
    uploads: photo.id,
    devices: frameId,
    frames: frameId,
    customers: customerId,
    users: customerId,
  };
  return {
    shop,
    anna: annas,
    owner,
    lina: contributorBrowser,
    frameId,
    orderId,
    arrival,
    collectToken,
    arrivalAddresses: [
      [annas, '/api/arrivals'],
      [contributorBrowser, `/api/collect/${collectToken}/arrivals`],
      [guest, '/api/customer-upload/arrivals'],
    ] as [Browser, string][],
    tusHeaders: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'upload-length': '1000',
      'upload-metadata': `deviceId ${btoa(frameId)},filename ${btoa('photo.jpg')}`,
    },
    callerOf: ({ who }: ApiOperation) => browsersByCaller[who],
    pathOf: ({ path }: ApiOperation) => {
      let segment = '';
      return path
        .split('/')
        .map((it) => {
          if (it === ':token') return collectToken;
          if (it === ':id' && segment === 'arrivals') return arrival.split('/').at(-1)!;
          if (it.startsWith(':')) return ids[segment] ?? 'none';
          segment = it;
          return it;
        })
        .join('/');
    },
    /** Checks that the original process is running and ready, and that no error got past a handler. */
    async expectUnharmed() {
      const readyResponse = await fetch(`${shop.origin}/health/ready`).catch(() => undefined);
      expect([shop.child.exitCode, shop.child.signalCode, readyResponse?.status], shop.output.slice(-3000)).toEqual([
        null,
        null,
        200,
      ]);
      expect(shop.output).not.toContain('uncaught error in a request');
      const browserAfterwards = shop.browser();
      expect(
        (await browserAfterwards.post('/api/auth/login', { email: anna.email, password: annasPassword })).status,
      ).toBe(200);
    },
  };
}
