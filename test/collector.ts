import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number; message?: string };
  /** The role of the process that recorded it: all, web or worker. */
  role: string;
}

/** A collector that receives traces over OTLP. With `isSilent` it accepts requests but never responds. */
export async function startCollector({ isSilent = false } = {}) {
  const bodies: string[] = [];
  const seenRequests: { path: string | undefined; key: unknown }[] = [];
  async function recordRequest(request: IncomingMessage, response: ServerResponse) {
    seenRequests.push({ path: request.url, key: request.headers['x-key'] });
    bodies.push(await text(request));
    if (!isSilent) response.setHeader('content-type', 'application/json').end('{}');
  }
  const server = createServer((request, response) => void recordRequest(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: seenRequests,
    /** Everything that was sent, as raw text. */
    words: () => bodies.join('\n'),
    spans: () => bodies.flatMap(parseSpans),
  };
}

interface SentTraces {
  resourceSpans?: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<Span, 'role'>[] }[];
  }[];
}
const parseSpans = (body: string): Span[] =>
  (JSON.parse(body) as SentTraces).resourceSpans?.flatMap(({ resource, scopeSpans }) => {
    const role = resource.attributes.find((it) => it.key === 'kinframe.role')?.value.stringValue ?? 'none';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, role })));
  }) ?? [];
