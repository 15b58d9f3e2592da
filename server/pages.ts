import { createHash, hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusals } from '#contract/refusals.ts';
import { contentChannel } from '#shop/content/content.ts';
import { mediaOrigins } from '#shop/content/media-origins.ts';
import { inProcessHeader, inProcessKey } from './app.ts';
import type { Door } from './http/door.ts';
import { proxyMarks } from './http/guards.ts';
import { projectFolder } from './project-folder.ts';
import { publicPages } from './public-pages.ts';
import type { Shop } from './shop.ts';

/** What a page render is given (web/scope.ts). */
interface Scope {
  fetch: (url: string, init?: RequestInit) => Promise<Pick<Response, 'ok' | 'status' | 'statusText' | 'json' | 'text'>>;
  deliver: (html: string) => void;
  origin: string;
  sandbox: boolean;
  collectsTax: boolean;
}
/** The build of web/server.tsx. */
export interface Pages {
  fetch(request: Request, options: { context: Scope }): Promise<Response>;
}
export type ServePages = (door: Door) => Promise<void>;

/** A page with dates in it (a promotion's first day) is never older than this. */
const freshMs = 60_000;
/** So soon it is tried again where rendering failed. */
const retryMs = 5_000;
/** Token and admin pages tell no other site where the visitor was. */
const quietPages =
  /^\/(admin|delivery|customer-upload|purchase-success|orders|welcome|upload|auth|complete-registration|checkout|payment-success|sandbox)/i;
const adminPages = /^\/admin(-login)?(\/|$)/i;

/** Production: the output of `vite build`. */
export const servePages: ServePages = async (door) => {
  const dist = join(projectFolder, 'dist');
  await door.app.register(fastifyStatic, {
    root: resolve(dist, 'client'),
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const forever = path.includes('/assets/');
      reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
  const { default: pages } = (await import(join(dist, 'server/server.js'))) as { default: Pages };
  await mountPages(door, async () => pages, { withPolicy: true });
};

/** Development: Vite inside this process, sharing its port for hot updates. */
export const serveLivePages: ServePages = async (door) => {
  const { app } = door;
  const [{ createServer }, { default: middie }] = await Promise.all([import('vite'), import('@fastify/middie')]);
  const vite = await createServer({
    configLoader: 'native',
    root: projectFolder,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
  await app.register(middie);
  app.use(vite.middlewares);
  app.addHook('preClose', () => vite.close()); // before the HTTP server: it waits for the hot-update socket
  const load = async () => (await vite.ssrLoadModule('/web/server.tsx'))['default'] as Pages;
  await mountPages(door, load, { withPolicy: false });
};

/** Answer every GET that no other route claims with a server-rendered page. */
export async function mountPages(
  { app, shop }: Door,
  load: () => Promise<Pages>,
  { withPolicy }: { withPolicy: boolean },
) {
  const cache = new Map<string, Promise<CachedPage>>();
  const publicData: PublicData = new Map();
  let media: Promise<string[]> | undefined;
  const clear = () => {
    cache.clear();
    publicData.clear();
    media = undefined;
  };
  const stopHearing = await shop.database.listen(contentChannel, clear, clear);
  app.addHook('preClose', stopHearing);

  app.get<{ Params: { '*': string } }>('/*', { schema: { hide: true } }, async (request, reply) => {
    const { path, hasSearch } = partsOf(request.url);
    // As the router reads it: decoded.
    const meant = `/${request.params['*']}`;
    if (quietPages.test(meant)) reply.header('referrer-policy', 'no-referrer');
    if (adminPages.test(meant) && !app.guards.isAllowedAddress(request))
      return reply
        .code(refusals['address-not-allowed'].status)
        .type('text/plain; charset=utf-8')
        .send(refusals['address-not-allowed'].words);
    if (withPolicy && publicPages.has(path) && !hasSearch) return sendCached(request, reply, await cached(path));
    const visitor = publicPages.has(path) ? undefined : request;
    const page = await render(await load(), { app, shop }, { url: request.url, visitor }, publicData);
    for (const cookie of page.cookies) void reply.header('set-cookie', cookie);
    if (withPolicy) reply.header('content-security-policy', policyFor(page.html, shop, await mediaNow(), path));
    else reply.removeHeader('content-security-policy');
    if (page.location !== null) reply.header('location', page.location);
    if (page.retryAfter !== undefined) reply.header('retry-after', page.retryAfter);
    return reply
      .code(page.status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .send(request.method === 'HEAD' ? '' : Buffer.from(page.html));
  });

  /** A page without another site's pictures is better than no page. */
  async function mediaNow(): Promise<string[]> {
    const asked = (media ??= mediaOrigins(shop.readContent));
    return asked.catch(() => {
      if (media === asked) media = undefined;
      return [];
    });
  }

  async function cached(path: string): Promise<CachedPage> {
    const known = cache.get(path);
    const old = await known;
    if (old && Date.now() - old.madeAt < freshMs) return old;
    if (cache.get(path) !== known) return cached(path); // someone else is at it already
    const made = renderAnew(path, old);
    // One render for all who wait; what came out wrong is not kept.
    cache.set(path, made);
    const forget = () => cache.get(path) === made && cache.delete(path);
    made.then((page) => page.status !== 200 && forget(), forget);
    return made;
  }

  /** A part of the shop that is down for a while takes no page away that was there before. */
  async function renderAnew(path: string, old: CachedPage | undefined): Promise<CachedPage> {
    try {
      const page = await render(await load(), { app, shop }, { url: path, visitor: undefined }, publicData);
      if (page.status < 500 || !old) return await packed(page, policyFor(page.html, shop, await mediaNow()));
    } catch (error) {
      if (!old) throw error;
      shop.log.warn({ err: error, path }, 'a page could not be rendered anew');
    }
    return { ...old, madeAt: Date.now() - freshMs + retryMs };
  }
}

interface RenderedPage {
  status: number;
  html: string;
  location: string | null;
  cookies: string[];
  /** Seconds, where the page could not be made because the API asks to come back. */
  retryAfter: string | undefined;
}

interface Visit {
  url: string;
  /** Absent where the page is the same for everyone: it is asked for as nobody, and its data may be kept. */
  visitor: FastifyRequest | undefined;
}

async function render(
  pages: Pages,
  { app, shop }: { app: FastifyInstance; shop: Shop },
  { url, visitor }: Visit,
  kept: PublicData,
): Promise<RenderedPage> {
  const cookies: string[] = [];
  let html = '';
  let later: ApiAnswer | undefined;
  // Never `new URL(url, origin)`: a path of `//evil` would replace the host.
  const request = new Request(shop.config.baseUrl + url, { headers: { accept: 'text/html' } });
  const page = await pages.fetch(request, {
    context: {
      origin: shop.config.baseUrl,
      sandbox: shop.sandbox !== undefined,
      collectsTax: shop.config.collectsTax,
      async fetch(path, init) {
        const ask = () => askApi(app, path, init, visitor);
        const answer = await (visitor ? ask() : onceFor(kept, path, ask));
        cookies.push(...answer.cookies);
        const { status, body } = answer;
        const isOk = status >= 200 && status < 300;
        if (status === 429 || status === 503) later = answer;
        return {
          ok: isOk,
          status,
          statusText: '',
          json: async () => (answer.value ??= JSON.parse(body)),
          text: async () => body,
        };
      },
      deliver: (whole) => (html = whole),
    },
  });
  // To the router every failed call is a fault of ours.
  const askedBack = page.status >= 500 ? later : undefined;
  const rendered = {
    status: askedBack?.status ?? page.status,
    html,
    location: page.headers.get('location'),
    cookies,
    retryAfter: askedBack?.retryAfter,
  };
  html = ''; // what rendered the page lives on until the slow collector comes, and would keep it
  return rendered;
}

interface ApiAnswer {
  status: number;
  body: string;
  /** The body, read; where the answer is kept, the same for all who ask. */
  value?: unknown;
  cookies: string[];
  retryAfter: string | undefined;
}

/** The API called in this very process, as the visitor or as nobody. */
async function askApi(
  app: FastifyInstance,
  url: string,
  init: RequestInit | undefined,
  visitor: FastifyRequest | undefined,
): Promise<ApiAnswer> {
  const answer = await app.inject({
    url,
    method: (init?.method ?? 'GET') as 'GET',
    ...(visitor && { remoteAddress: visitor.socket.remoteAddress ?? visitor.ip }),
    headers: {
      ...(init?.headers as Record<string, string>),
      [inProcessHeader]: inProcessKey,
      ...(visitor && { cookie: visitor.headers.cookie ?? '' }),
      ...(visitor && passedOn(visitor)),
    },
  });
  return {
    status: answer.statusCode,
    body: answer.body,
    cookies: visitor ? [answer.headers['set-cookie'] ?? []].flat() : [],
    retryAfter: answer.headers['retry-after']?.toString(),
  };
}

/** Where the visitor asked from, as the door judges it. */
const passedOn = ({ headers }: FastifyRequest) =>
  Object.fromEntries(
    ['host', ...proxyMarks].flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );

/** What the API answers to everyone alike, by address. */
type PublicData = Map<string, { answer: Promise<ApiAnswer>; askedAt: number }>;

function onceFor(kept: PublicData, url: string, ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const known = kept.get(url);
  if (known && Date.now() - known.askedAt < freshMs) return known.answer;
  const asked = { answer: ask(), askedAt: Date.now() };
  kept.set(url, asked);
  const forget = () => kept.get(url) === asked && kept.delete(url);
  asked.answer.then(({ status }) => status !== 200 && forget(), forget);
  return asked.answer;
}

interface CachedPage {
  status: number;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
  etag: string;
  policy: string;
  madeAt: number;
}

async function packed({ status, html }: RenderedPage, policy: string): Promise<CachedPage> {
  const plain = Buffer.from(html);
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(plain, { level: 7 }),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  ]);
  const etag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { status, plain, gzip: gzipped, brotli, etag, policy, madeAt: Date.now() };
}

function sendCached(request: FastifyRequest, reply: FastifyReply, page: CachedPage) {
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  const etag = `W/"${page.etag}${encoding ? `-${encoding}` : ''}"`;
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': page.policy,
    'cache-control': 'public, no-cache',
    vary: 'accept-encoding',
    etag,
    ...(encoding && { 'content-encoding': encoding }),
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const body = encoding === 'br' ? page.brotli : encoding === 'gzip' ? page.gzip : page.plain;
  return reply.code(page.status).send(request.method === 'HEAD' ? '' : body);
}

/**
 * Pages are rendered whole, so each inline script is known by its hash: no nonce, and a page can be kept. Every page admits
 * the sites that content takes pictures from, because the next page comes without a new policy.
 */
function policyFor(html: string, { config, provider }: Shop, origins: string[], path = ''): string {
  const media = origins.map((origin) => ` ${origin}`).join('');
  const hashes = inlineScriptsOf(html).map((code) => `'sha256-${hash('sha256', code, 'base64')}'`);
  const isStripe = provider.kind === 'stripe';
  const stripe = isStripe ? ' https://js.stripe.com https://*.js.stripe.com' : '';
  const directives = [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(hashes)].join(' ')}${stripe}`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${isStripe ? ' https://*.stripe.com' : ''}${media}`,
    `media-src 'self' blob:${media}`,
    "font-src 'self'",
    `connect-src 'self'${isStripe ? ' https://api.stripe.com' : ''}`,
    `frame-src${isStripe ? ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com' : path === '/sandbox' ? " 'self'" : " 'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(config.baseUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ];
  return directives.join('; ');
}

/** What runs, not data. Found by plain search: an expression that can do the same takes a tenth of a page's whole time. */
function inlineScriptsOf(html: string): string[] {
  const scripts: string[] = [];
  for (let at = html.indexOf('<script'); at >= 0; at = html.indexOf('<script', at)) {
    const begin = html.indexOf('>', at) + 1;
    const end = html.indexOf('</script>', begin);
    if (begin === 0 || end < 0) break;
    if (end > begin && !/\b(src=|type="application\/)/.test(html.slice(at, begin)))
      scripts.push(html.slice(begin, end));
    at = end;
  }
  return scripts;
}

function partsOf(url: string): { path: string; hasSearch: boolean } {
  const at = url.indexOf('?');
  return { path: at < 0 ? url : url.slice(0, at), hasSearch: at >= 0 };
}
