import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/**
 * What may become of a request: nobody answers, an error is answered, these keys may not ask it, there is no room for it, it
 * takes long, it is done and nobody says so, it is done twice, or somebody says that it is done and it is not.
 */
export type Mischief = 'silence' | 'error' | 'forbidden' | 'full' | 'slow' | 'unsaid' | 'twice' | 'lie';

/** An HTTP server on the way to another, which may do harm to what is asked. Answers its origin. */
export async function meddlingWith(
  origin: string,
  chooses: (asked: IncomingMessage) => Mischief | undefined,
  slowMs: () => number = () => 3_000,
): Promise<string> {
  const server = createServer((asked, answer) => void pass(asked, answer).catch(() => asked.socket.destroy()));
  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(asked);
    const mischief = chooses(asked);
    if (mischief === 'silence') return void asked.socket.destroy();
    if (mischief === 'error') return void answer.writeHead(500).end();
    if (mischief === 'forbidden') return void answer.writeHead(403).end(denied);
    if (mischief === 'full') return void answer.writeHead(507).end(noRoom);
    if (mischief === 'lie') return void answer.writeHead(200).end();
    if (mischief === 'slow') await sleep(slowMs());
    if (mischief === 'twice') await askedAt(origin, asked, body);
    const { head, bytes } = await askedAt(origin, asked, body);
    if (mischief === 'unsaid') return void asked.socket.destroy();
    answer.writeHead(head.statusCode!, head.headers).end(bytes);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const denied = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
const noRoom = '<?xml version="1.0"?><Error><Code>InsufficientStorage</Code><Message>no room</Message></Error>';

/** Word for word, the host as it was meant: signatures are about that, too. */
async function askedAt(origin: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  const asking = request(origin + url, { method, headers });
  asking.end(body);
  const [head] = (await once(asking, 'response')) as [IncomingMessage];
  return { head, bytes: await buffer(head) };
}
