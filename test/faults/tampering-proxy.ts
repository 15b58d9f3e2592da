import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/**
 * What can happen to a request: no response, an error, access denied, no space left, a slow response, success without a
 * response, execution twice, or a success response without execution.
 */
export type ConnectionFault = 'silence' | 'error' | 'forbidden' | 'full' | 'slow' | 'unsaid' | 'twice' | 'lie';

/** An HTTP proxy that can tamper with requests. Returns its origin. */
export async function startTamperingProxy(
  origin: string,
  chooses: (incoming: IncomingMessage) => ConnectionFault | undefined,
  slowMs: () => number = () => 3_000,
): Promise<string> {
  const server = createServer(
    (incoming, answer) => void passRequest(incoming, answer).catch(() => incoming.socket.destroy()),
  );
  async function passRequest(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const connectionFault = chooses(incoming);
    if (connectionFault === 'silence') return void incoming.socket.destroy();
    if (connectionFault === 'error') return void answer.writeHead(500).end();
    if (connectionFault === 'forbidden') return void answer.writeHead(403).end(deniedXml);
    if (connectionFault === 'full') return void answer.writeHead(507).end(storageFullXml);
    if (connectionFault === 'lie') return void answer.writeHead(200).end();
    if (connectionFault === 'slow') await sleep(slowMs());
    if (connectionFault === 'twice') await forwardTo(origin, incoming, body);
    const { head, bytes } = await forwardTo(origin, incoming, body);
    if (connectionFault === 'unsaid') return void incoming.socket.destroy();
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

const deniedXml = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
const storageFullXml = '<?xml version="1.0"?><Error><Code>InsufficientStorage</Code><Message>no room</Message></Error>';

/** Forwards the request unchanged, including the original Host header, because it is part of the signature. */
async function forwardTo(origin: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  const outgoingRequest = request(origin + url, { method, headers });
  outgoingRequest.end(body);
  const [head] = (await once(outgoingRequest, 'response')) as [IncomingMessage];
  return { head, bytes: await buffer(head) };
}
