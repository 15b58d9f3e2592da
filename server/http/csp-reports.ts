import * as z from 'zod';
import { reportsPath } from '../pages/policy.ts';
import type { HttpScope } from './common/http-scope.ts';
import { createRateLimitOptions } from './common/rate-limit.ts';

const bodyLimit = 16 * 1024;
/** The most violations of one request that are counted. A browser may report several in one request. */
const mostViolations = 20;
/** The most log lines per process and minute. Further violations are only counted. */
const linesPerMinute = 20;

/**
 * Receives the browsers' reports of what the Content-Security-Policy of a page has blocked. Each violation is counted
 * by its directive. The log line has the directive, the blocked origin and only the first part of the page's path,
 * because page addresses contain tokens. Anyone can send a report, so each value is reduced to a known word, the origin
 * of an address, or the first part of a path.
 */
export function registerCspReportRoutes({ app, shop }: HttpScope): void {
  const mayLog = createMinuteLimiter(linesPerMinute, () => shop.clock.now().getTime());
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit },
      (_request, body, done) => done(null, body),
    );
    const config = { rateLimit: createRateLimitOptions('csp-report'), isForPrograms: true };
    scope.post(reportsPath, { schema: { hide: true }, config }, async (request, reply) => {
      for (const violation of readViolations(request.body)) {
        shop.metrics.cspViolations.inc({ directive: violation.directive });
        if (mayLog()) request.log.warn(violation, 'a page’s policy blocked something');
      }
      return reply.code(204).send();
    });
  });
}

interface Violation {
  directive: string;
  blocked: string;
  page: string;
}

const directives = new Set([
  'base-uri',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'require-trusted-types-for',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'worker-src',
]);
const keywords = new Set(['inline', 'eval', 'wasm-eval', 'trusted-types-policy', 'trusted-types-sink']);

const optionalText = z.string().optional().catch(undefined);
/** The format of `report-uri`, which Firefox and Safari send. */
const ReportUriReport = z
  .object({
    'csp-report': z.object({
      'document-uri': optionalText,
      'blocked-uri': optionalText,
      'effective-directive': optionalText,
      'violated-directive': optionalText,
    }),
  })
  .transform(({ 'csp-report': it }) => [
    {
      directive: it['effective-directive'] ?? it['violated-directive'],
      blocked: it['blocked-uri'],
      page: it['document-uri'],
    },
  ]);
/** The format of `report-to`, which Chromium sends. */
const ReportingApiReports = z
  .array(z.object({ type: z.string(), body: z.record(z.string(), z.unknown()).catch({}) }))
  .transform((reports) =>
    reports
      .filter(({ type }) => type === 'csp-violation')
      .map(({ body }) => ({
        directive: optionalText.parse(body['effectiveDirective']),
        blocked: optionalText.parse(body['blockedURL']),
        page: optionalText.parse(body['documentURL']),
      })),
  );
const Reports = z.union([ReportUriReport, ReportingApiReports]);

function readViolations(body: unknown): Violation[] {
  const { data: reports = [] } = Reports.safeParse(parseJson(body));
  return reports.slice(0, mostViolations).map(({ directive = '', blocked = '', page = '' }) => {
    const [name = ''] = directive.split(' ');
    return {
      directive: directives.has(name) ? name : 'other',
      blocked: keywords.has(blocked) ? blocked : originOf(blocked),
      page: firstSegmentOf(page),
    };
  });
}

function parseJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined; // the report is not JSON
  }
}

/** The origin of a web address, such as `https://host`. Only the scheme of any other address. */
function originOf(address: string): string {
  const url = URL.parse(address);
  if (!url) return 'unknown';
  return (url.origin === 'null' ? url.protocol : url.origin).slice(0, 100);
}

/** The first part of an address's path: `/delivery` for `https://shop.example/delivery/a-token?query`. */
const firstSegmentOf = (address: string): string =>
  /^\/[a-z-]{0,30}(?=\/|$)/.exec(URL.parse(address)?.pathname ?? '')?.[0] ?? 'unknown';

/** Returns a function that is true for its first `count` calls of each minute. */
function createMinuteLimiter(count: number, now: () => number): () => boolean {
  let begunAt = 0;
  let used = 0;
  return () => {
    if (now() - begunAt >= 60_000) [begunAt, used] = [now(), 0];
    used += 1;
    return used <= count;
  };
}
