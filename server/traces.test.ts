import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { Tracing } from '#shop/ports/tracing.ts';
import { traceRequests } from './traces.ts';

test('traces API calls and content whose route has a file ending, but no static files or health checks', async () => {
  const names: string[] = [];
  const tracing: Tracing = {
    begin: ({ name }) => {
      names.push(name);
      return { run: (it) => it(), end: () => {} };
    },
    isUnderWay: () => false,
    traceHeadersToSend: () => undefined,
    check: async () => {},
    close: async () => {},
  };
  const app = fastify();
  onTestFinished(() => app.close());
  traceRequests(app, tracing);
  const tracedNames = [
    '/api/admin/lists/orders.csv',
    '/api/admin/content/:section.json',
    '/data/site.json',
    '/videos/:file',
  ];
  const untracedPaths = ['/assets/app.js', '/robots.txt', '/.well-known/security.txt', '/health/ready', '/metrics'];
  for (const route of [...tracedNames, ...untracedPaths]) app.get(route, async () => 'done');
  for (const url of ['/api/admin/content/hero.json', '/videos/one.mp4?take=1'])
    expect((await app.inject(url)).statusCode).toBe(200);
  for (const url of [...tracedNames, ...untracedPaths].filter((it) => !it.includes(':'))) await app.inject(url);
  expect(names.toSorted()).toEqual(tracedNames.map((route) => `GET ${route}`).toSorted());
});

test('records the status of every response as a number, and a status from 500 also as the kind of error', async () => {
  const recordedEnds: unknown[] = [];
  const tracing = {
    begin: () => ({ run: (it: () => unknown) => it(), end: (how: unknown) => recordedEnds.push(how) }),
  } as unknown as Tracing;
  const app = fastify();
  onTestFinished(() => app.close());
  traceRequests(app, tracing);
  for (const status of [200, 404, 500, 503])
    app.get(`/${status}`, async (_request, reply) => reply.code(status).send(''));
  for (const status of [200, 404, 500, 503]) await app.inject(`/${status}`);
  expect(recordedEnds).toEqual([
    { facts: { 'http.response.status_code': 200 } },
    { facts: { 'http.response.status_code': 404 } },
    { facts: { 'http.response.status_code': 500 }, error: 500 },
    { facts: { 'http.response.status_code': 503 }, error: 503 },
  ]);
});
