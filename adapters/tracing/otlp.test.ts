import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openOtlpTracing } from './otlp.ts';

interface SentSpans {
  resourceSpans: { scopeSpans: { spans: { name: string; attributes: { key: string; value: unknown }[] }[] }[] }[];
}

test('sends a response’s status as a whole number, and the kind of each error without its message', async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  onTestFinished(() => void collector.close());
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  const tracing = openOtlpTracing({
    endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    headers: {},
    process: {},
    onTrouble: (error) => {
      throw error;
    },
  });
  const errors = [503, Object.assign(new Error('anna@'), { code: '23505' }), new TypeError('anna@'), 'anna@'];
  for (const [index, error] of errors.entries())
    tracing
      .begin({ name: `span ${index}`, kind: 'server' })
      .end({ facts: { 'http.response.status_code': 503 }, error });
  await tracing.close();
  const spans = bodies.flatMap((body) =>
    (JSON.parse(body) as SentSpans).resourceSpans.flatMap((it) => it.scopeSpans.flatMap((scope) => scope.spans)),
  );
  const status = { key: 'http.response.status_code', value: { intValue: 503 } };
  expect(spans.map((it) => it.attributes)).toEqual(
    ['503', '23505', 'TypeError', 'string'].map((kind) => [
      status,
      { key: 'error.type', value: { stringValue: kind } },
    ]),
  );
  expect(bodies.join('')).not.toContain('anna@');
});
