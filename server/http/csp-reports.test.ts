import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { rateLimits } from '#contract/limits.ts';
import { createApp } from '#server/app.ts';
import { mountPages } from '#server/pages/mounting.ts';
import type { PageRenderer } from '#server/pages/render.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { Browser, openTestShop } from '#test/shop.ts';

const secret = 'a-secret-token';
const reportUriHeaders = { 'content-type': 'application/csp-report' };
const reportingApiHeaders = { 'content-type': 'application/reports+json' };
const createReportUriReport = (directive: string, blocked: string) => ({
  'csp-report': {
    'document-uri': `https://shop.example/delivery/${secret}?token=${secret}`,
    referrer: `https://shop.example/auth?token=${secret}`,
    'effective-directive': directive,
    'blocked-uri': blocked,
    'script-sample': secret,
  },
});
const createReportingApiReport = (effectiveDirective: string, blockedURL: string) => ({
  type: 'csp-violation',
  url: `https://shop.example/play/${secret}`,
  body: { effectiveDirective, blockedURL, documentURL: `https://shop.example/play/${secret}?q=${secret}` },
});

const pageRenderer: PageRenderer = {
  isPage: () => true,
  async fetch(_request, { context }) {
    context.deliver('<p>A page</p>');
    return new Response(null);
  },
};

describeOnFastestEngine((fresh) => {
  async function openShopWithReports(env: Record<string, string> = {}) {
    const { shop, clock } = await openTestShop(fresh, { env });
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const app = await createApp(
      { ...shop, log },
      { servePages: (httpScope) => mountPages(httpScope, async () => pageRenderer, { withPolicy: true }) },
    );
    onTestFinished(() => app.close());
    const readCounters = async () =>
      Object.fromEntries(
        (await shop.metrics.cspViolations.get()).values.map(({ labels, value }) => [labels.directive, value]),
      );
    const sendReport = (body: unknown, headers: Record<string, string> = reportingApiHeaders, address = '192.0.2.1') =>
      // Browsers send reports with the origin `null`.
      new Browser(app, address).post('/api/csp-reports', body, { origin: 'null', ...headers });
    return { app, clock, counted: readCounters, lines, send: sendReport };
  }

  test('counts reports of both formats by directive, and logs them without tokens and query strings', async () => {
    const { counted, lines, send } = await openShopWithReports();
    const remoteScript = `https://evil.example/script.js?${secret}`;
    expect((await send(createReportUriReport('script-src-elem', remoteScript), reportUriHeaders)).status).toBe(204);
    const severalReports = [
      createReportingApiReport('script-src-elem', 'inline'),
      createReportingApiReport('img-src', `data:${secret}`),
    ];
    expect((await send([...severalReports, { type: 'deprecation', body: {} }])).status).toBe(204);
    expect(await counted()).toEqual({ 'script-src-elem': 2, 'img-src': 1 });
    expect(lines.map(({ directive, blocked, page }) => [directive, blocked, page])).toEqual([
      ['script-src-elem', 'https://evil.example', '/delivery'],
      ['script-src-elem', 'inline', '/play'],
      ['img-src', 'data:', '/play'],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${secret}|\\?`));
  });

  test('limits the metrics and log lines that hostile reports can create', async () => {
    const { clock, counted, lines, send } = await openShopWithReports();
    await send([
      createReportingApiReport(`x'"\n${secret}`, secret),
      createReportingApiReport('script-src 1 2', 'https://a.example:1/b'),
    ]);
    expect(await counted()).toEqual({ other: 1, 'script-src': 1 });
    expect(lines.map(({ directive, blocked }) => [directive, blocked])).toEqual([
      ['other', 'unknown'],
      ['script-src', 'https://a.example:1'],
    ]);
    for (const emptyReport of ['', '{', '[]', 'null', '[1]', '{"csp-report":1}', [{ type: 'csp-violation', body: 1 }]])
      expect((await send(emptyReport)).status, JSON.stringify(emptyReport)).toBeLessThan(500);
    expect(lines.length).toBeLessThanOrEqual(3);
    expect((await send('x'.repeat(17 * 1024))).status).toBe(413);
    expect((await send({}, { 'content-type': 'application/json' })).status).toBe(415);
    for (let i = 0; i < 5; i++)
      await send(Array.from({ length: 60 }, () => createReportingApiReport('img-src', 'inline')));
    expect((await counted())['img-src']).toBe(100);
    expect(lines).toHaveLength(20);
    clock.advance(60_000);
    await send([createReportingApiReport('img-src', 'inline')]);
    expect(lines).toHaveLength(21);
  });

  test('answers 429 to an address that sends too many reports', async () => {
    const { counted, send } = await openShopWithReports({ RATE_LIMITS: 'on' });
    for (let i = 0; i < rateLimits['csp-report'].max; i++)
      expect((await send([createReportingApiReport('img-src', 'inline')])).status).toBe(204);
    expect((await send([createReportingApiReport('img-src', 'inline')])).status).toBe(429);
    expect(await counted()).toEqual({ 'img-src': rateLimits['csp-report'].max });
    expect((await send([createReportingApiReport('img-src', 'inline')], reportingApiHeaders, '192.0.2.2')).status).toBe(
      204,
    );
  });

  test('every kind of page names the report address, and panel and player allow only one trusted-types policy', async () => {
    const { app } = await openShopWithReports();
    const visitor = new Browser(app, '192.0.2.1');
    for (const path of ['/', '/no-such-page', '/welcome', '/admin', '/play/none']) {
      const { headers } = await visitor.get(path);
      expect(headers['content-security-policy'], path).toMatch(/; report-uri \/api\/csp-reports; report-to csp$/);
      expect(headers['reporting-endpoints'], path).toBe('csp="/api/csp-reports"');
    }
    const fetchTrustedTypesDirective = async (path: string) =>
      /; (require-trusted-types-for 'script'; trusted-types [^;]+);/.exec(
        String((await visitor.get(path)).headers['content-security-policy']),
      )?.[1];
    expect(await fetchTrustedTypesDirective('/play/none')).toBe(
      "require-trusted-types-for 'script'; trusted-types play-worker",
    );
    for (const path of ['/admin', '/admin-login', '/admin-invitation', '/admin/packing-slips'])
      expect(await fetchTrustedTypesDirective(path), path).toBe(
        "require-trusted-types-for 'script'; trusted-types default",
      );
    expect(await fetchTrustedTypesDirective('/welcome')).toBeUndefined(); // Stripe’s script does without Trusted Types
  });
});
