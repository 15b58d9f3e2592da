import { buffer } from 'node:stream/consumers';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createECDH, randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createWebPush, type PostMessage } from './web-push.ts';

const message = { title: 'New order: $129.00', body: 'Order KF-7Q4M-2XPA', tag: 'KF-7Q4M-2XPA', path: '/admin' };

/** The keys that a browser makes for its subscription. */
function createBrowserKeys() {
  const pair = createECDH('prime256v1');
  return { p256dh: pair.generateKeys().toString('base64url'), auth: randomBytes(16).toString('base64url') };
}

/** A push service on this machine, which answers with the given status. */
async function startFakePushServer(status: number) {
  const receivedRequests: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer((incoming, answer) => {
    void buffer(incoming).then((body) => {
      receivedRequests.push({ headers: incoming.headers, body });
      answer.writeHead(status).end('a long text');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  /** Sends to the fake, whatever the host of the endpoint. */
  const post: PostMessage = (_url, headers, body) =>
    new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', method: 'POST', headers }, (answer) => resolve(answer.statusCode!))
        .on('error', reject)
        .end(body);
    });
  return { push: createWebPush({ contact: 'https://shop.example', post }), received: receivedRequests };
}

const endpoint = 'https://push.example/one';

test('sends an encrypted message that the shop has signed', async () => {
  const { push, received: receivedRequests } = await startFakePushServer(201);
  expect(await push.send(push.createKeys(), { endpoint, ...createBrowserKeys() }, message)).toBe('sent');
  const [{ headers, body }] = receivedRequests as [(typeof receivedRequests)[0]];
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '86400' });
  expect(headers.authorization).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, ?k=[\w-]+$/);
  const [, claims] = headers.authorization!.split('.');
  expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({
    aud: 'https://push.example',
    sub: 'https://shop.example',
  });
  expect(body.length).toBeGreaterThan(100);
  for (const text of Object.values(message)) expect(body.includes(text)).toBe(false);
});

test.each([404, 410])('reports an address as gone if the push service answers %i', async (status) => {
  const { push } = await startFakePushServer(status);
  expect(await push.send(push.createKeys(), { endpoint, ...createBrowserKeys() }, message)).toBe('gone');
});

test.each([302, 400, 429, 500])('rejects if the push service answers %i', async (status) => {
  const { push } = await startFakePushServer(status);
  const sendPromise = push.send(push.createKeys(), { endpoint, ...createBrowserKeys() }, message);
  await expect(sendPromise).rejects.toThrow(`the push service answered ${status}`);
});

test('accepts only https addresses on the public network', () => {
  const push = createWebPush({ contact: 'https://shop.example' });
  for (const publicEndpoint of [
    'https://fcm.googleapis.com/fcm/send/a:b',
    'https://web.push.apple.com/x',
    'https://8.8.8.8/x',
  ])
    expect(push.accepts(publicEndpoint), publicEndpoint).toBe(true);
  for (const privateEndpoint of [
    'http://fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://10.0.0.4/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.4]/x',
    'https://name:secret@push.example/x',
    'file:///etc/passwd',
    'push.example',
  ])
    expect(push.accepts(privateEndpoint), privateEndpoint).toBe(false);
});

test('refuses a host name whose address is on a private network, before it connects', async () => {
  const push = createWebPush({ contact: 'https://shop.example' });
  const address = { endpoint: 'https://localhost:9/x', ...createBrowserKeys() };
  await expect(push.send(push.createKeys(), address, message)).rejects.toMatchObject({ name: 'PrivateAddress' });
});
