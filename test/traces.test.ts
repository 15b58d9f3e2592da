import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { projectFolder } from '#server/project-folder.ts';
import { build } from '../scripts/build.ts';
import { startCollector, type Span } from './collector.ts';
import { ShopInstallation } from './faults/installation.ts';
import type { Engine } from './faults/scenario.ts';
import { findFreePort } from './free-port.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify } from './people.ts';
import type { TestShop } from './shop.ts';

beforeAll(() => build(), 600_000);

const engines: readonly Engine[] = ['embedded', 'postgres'];
describe.each(engines)('traces with the database engine %s', (engine) => {
  const isEngineAvailable = engine === 'embedded' || inject('postgresUrl') !== undefined;

  test.runIf(isEngineAvailable)(
    'one trace contains a request, its job and its email, and no personal data',
    async () => {
      const collector = await startCollector();
      const installation = await ShopInstallation.open(engine, {
        settings: {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
          OTEL_EXPORTER_OTLP_HEADERS: 'x-key=open%20sesame',
          ...(engine === 'postgres' && { ROLE: 'web' }),
        },
      });
      if (engine === 'postgres') await installation.startSecond({ ROLE: 'worker' });
      const foreignTraceId = '4bf92f3577b34da6a3ce929d0e0e4736';
      const { browser, session } = await buyFramesAsAnna(installation as unknown as TestShop);
      await browser.get(`/?utm_source=cake&token=${'t'.repeat(43)}`, {
        traceparent: `00-${foreignTraceId}-00f067aa0ba902b7-01`,
      });
      await browser.get('/upload');
      await browser.post('/api/auth/link', { email: anna.email });
      await browser.get(`/nothing/here/${anna.email}`);
      await installation.browser().post('/api/auth/login', { email: anna.email, password: 'a wrong one' });

      const spans = await vi.waitFor(
        () => {
          const spans = collector.spans();
          for (const name of ['mail send', 'job send-mail', 'POST /api/auth/login'])
            expect(spans.map((it) => it.name)).toContain(name);
          return spans;
        },
        { timeout: 30_000, interval: 200 },
      );
      const mail = spans.find((it) => it.name === 'mail send')!;
      const spansToMail = spanPathOf(mail, spans);
      expect(spansToMail.map((it) => it.name)).toEqual(['mail send', 'job send-mail', 'POST /api/verify-payment']);
      expect(spansToMail.map((it) => it.role)).toEqual(
        engine === 'postgres' ? ['worker', 'worker', 'web'] : ['all', 'all', 'all'],
      );
      expect(new Set(spansToMail.map((it) => it.traceId)).size).toBe(1);
      expect(readSpanFacts(spansToMail.at(-1)!)).toMatchObject({
        'http.route': '/api/verify-payment',
        'http.response.status_code': 200,
        'request.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      const spanNamesOfTrace = spans.filter((it) => it.traceId === mail.traceId).map((it) => it.name);
      expect(spanNamesOfTrace).toEqual(expect.arrayContaining(['payments getIntent', 'insert frames', 'select mails']));

      // A page's own API calls are part of its trace. A trace id from outside is ignored.
      const page = spans.find((it) => it.name.startsWith('GET /api/') && it.parentSpanId);
      expect(spanPathOf(page!, spans).at(-1)!.name).toBe('GET /*');
      expect(spans.filter((it) => it.traceId === foreignTraceId)).toEqual([]);
      expect(spans.filter((it) => /health|metrics/.test(it.name))).toEqual([]);
      expect(new Set(collector.seen.map((it) => JSON.stringify(it)))).toEqual(
        new Set([JSON.stringify({ path: '/v1/traces', key: 'open sesame' })]),
      );
      const text = collector.words();
      const secrets = [
        anna.email,
        anna.firstName,
        anna.lastName,
        anna.address.line1,
        annasPassword,
        session,
        'cake',
        'ttttt',
      ];
      for (const secret of secrets) expect(text).not.toContain(secret);
      for (const cookie of browser.cookies.values()) expect(text).not.toContain(cookie);
      expect(text).not.toMatch(/[?@]/);
    },
  );
});

test.each(['away', 'silent'] as const)(
  'a collector that is %s delays neither requests nor the shop’s shutdown',
  async (how) => {
    const endpoint =
      how === 'away' ? `http://127.0.0.1:${await findFreePort()}` : (await startCollector({ isSilent: true })).endpoint;
    const installation = await ShopInstallation.open('embedded', {
      settings: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    });
    for (let i = 0; i < 3; i++) expect((await buyAndVerify(installation.browser())).verified.status).toBe(200);
    const startedAt = performance.now();
    for (let i = 0; i < 300; i++) expect((await installation.browser().get('/api/user')).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await vi.waitFor(() => expect(installation.shop.output).toContain('"msg":"traces could not be sent"'), {
      timeout: 30_000,
      interval: 200,
    });
    expect(installation.shop.output.split('traces could not be sent').length - 1).toBe(1);
    const stoppedAt = performance.now();
    expect(await installation.shop.end('SIGTERM')).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(6_000);
  },
);

test('does not load the tracing library unless traces are configured', () => {
  const readBuiltCode = (name: string) => readFileSync(join(projectFolder, 'dist/shop', name), 'utf8');
  const loadedModules = new Set<string>();
  const loadModule = (name: string) => {
    if (loadedModules.has(name)) return;
    loadedModules.add(name);
    for (const [, next] of readBuiltCode(name).matchAll(/^(?:import|export)[^;]*?["']\.\/([\w.-]+\.js)["']/gm))
      loadModule(next!);
  };
  loadModule('main.js');
  expect(loadedModules.size).toBeGreaterThan(1);
  const speaksOtlp = (name: string) => readBuiltCode(name).includes('BatchSpanProcessor');
  expect([...loadedModules].filter(speaksOtlp)).toEqual([]);
  expect(globSync('*.js', { cwd: join(projectFolder, 'dist/shop') }).filter(speaksOtlp)).toHaveLength(1);
});

/** Returns the path from a span through its parents to the root of its trace. */
function spanPathOf(span: Span, spans: Span[]): Span[] {
  const parent = spans.find((it) => it.spanId === span.parentSpanId);
  expect(parent !== undefined || !span.parentSpanId, `${span.name} belongs to no span that was reported`).toBe(true);
  return parent ? [span, ...spanPathOf(parent, spans)] : [span];
}

const readSpanFacts = (span: Span) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
