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
    carried: () => undefined,
    check: async () => {},
    close: async () => {},
  };
  const app = fastify();
  onTestFinished(() => app.close());
  traceRequests(app, tracing);
  const traced = [
    '/api/admin/lists/orders.csv',
    '/api/admin/content/:section.json',
    '/data/site.json',
    '/videos/:file',
  ];
  const untraced = ['/assets/app.js', '/robots.txt', '/.well-known/security.txt', '/health/ready', '/metrics'];
  for (const route of [...traced, ...untraced]) app.get(route, async () => 'done');
  for (const url of ['/api/admin/content/hero.json', '/videos/one.mp4?take=1'])
    expect((await app.inject(url)).statusCode).toBe(200);
  for (const url of [...traced, ...untraced].filter((it) => !it.includes(':'))) await app.inject(url);
  expect(names.toSorted()).toEqual(traced.map((route) => `GET ${route}`).toSorted());
});
