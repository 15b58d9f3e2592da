import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentChannel } from '#shop/content/content.ts';
import { inProcessHeader, inProcessKey } from './app.ts';
import type { Door } from './http/door.ts';
import { projectFolder } from './project-folder.ts';
import { publicPages } from './public-pages.ts';
import type { Shop } from './shop.ts';

/** What a page render is given (web/scope.ts). */
interface Scope {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  origin: string;
  sandbox: boolean;
}
/** The build of web/server.ts. */
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
  /^\/(admin|delivery|customer-upload|purchase-success|welcome|upload|auth|complete-registration|checkout|payment-success)/;

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
  const load = async () => (await vite.ssrLoadModule('/web/server.ts'))['default'] as Pages;
  await mountPages(door, load, { withPolicy: false });
};

/** Answer every GET that no other route claims with a server-rendered page. */
export async function mountPages(
  { app, shop }: Door,
  load: () => Promise<Pages>,
  { withPolicy }: { withPolicy: boolean },
) {
  const cache = new Map<string, Promise<CachedPage>>();
  const clear = () => cache.clear();
  const stopHearing = await shop.database.listen(contentChannel, clear, clear);
  app.addHook('preClose', stopHearing);

  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const { path, hasSearch } = partsOf(request.url);
    if (withPolicy && publicPages.has(path) && !hasSearch) return sendCached(request, reply, await cached(path));
    const page = await render(await load(), { app, shop }, request, {
      url: request.url,
      asVisitor: !publicPages.has(path),
    });
    if (quietPages.test(path)) reply.header('referrer-policy', 'no-referrer');
    for (const cookie of page.cookies) void reply.header('set-cookie', cookie);
    if (withPolicy) reply.header('content-security-policy', policyFor(page.html, shop));
    else reply.removeHeader('content-security-policy');
    if (page.location !== null) reply.header('location', page.location);
    return reply
      .code(page.status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .send(request.method === 'HEAD' ? '' : page.html);
  });

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
      const page = await render(await load(), { app, shop }, undefined, { url: path, asVisitor: false });
      if (page.status < 500 || !old) return await packed(page, policyFor(page.html, shop));
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
}

async function render(
  pages: Pages,
  { app, shop }: { app: FastifyInstance; shop: Shop },
  visitor: FastifyRequest | undefined,
  { url, asVisitor }: { url: string; asVisitor: boolean },
): Promise<RenderedPage> {
  const cookies: string[] = [];
  // Never `new URL(url, origin)`: a path of `//evil` would replace the host.
  const request = new Request(shop.config.baseUrl + url, { headers: { accept: 'text/html' } });
  const page = await pages.fetch(request, {
    context: {
      origin: shop.config.baseUrl,
      sandbox: shop.sandbox !== undefined,
      async fetch(path, init) {
        const answer = await app.inject({
          url: path,
          method: (init?.method ?? 'GET') as 'GET',
          ...(visitor && { remoteAddress: visitor.socket.remoteAddress ?? visitor.ip }),
          headers: {
            ...(init?.headers as Record<string, string>),
            [inProcessHeader]: inProcessKey,
            ...(asVisitor && { cookie: visitor?.headers.cookie ?? '' }),
            ...(asVisitor &&
              visitor?.headers['x-forwarded-for'] && { 'x-forwarded-for': visitor.headers['x-forwarded-for'] }),
          },
        });
        const set = answer.headers['set-cookie'];
        if (asVisitor && set !== undefined) cookies.push(...[set].flat());
        return new Response(answer.body, {
          status: answer.statusCode,
          headers: { 'content-type': answer.headers['content-type'] ?? '' },
        });
      },
    },
  });
  return { status: page.status, html: await page.text(), location: page.headers.get('location'), cookies };
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

/** Pages are rendered whole, so each inline script is known by its hash: no nonce, and a page can be kept. */
function policyFor(html: string, { config, provider }: Shop): string {
  const hashes = Array.from(html.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>([\s\S]*?)<\/script>/g), ([, , code]) => code!)
    .filter((code) => code.length > 0)
    .map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  const isStripe = provider.kind === 'stripe';
  const stripe = isStripe ? ' https://js.stripe.com https://*.js.stripe.com' : '';
  const directives = [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(hashes)].join(' ')}${stripe}`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${isStripe ? ' https://*.stripe.com' : ''}`,
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self'${isStripe ? ' https://api.stripe.com' : ''}`,
    `frame-src${isStripe ? ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com' : " 'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(config.baseUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ];
  return directives.join('; ');
}

function partsOf(url: string): { path: string; hasSearch: boolean } {
  const at = url.indexOf('?');
  return { path: at < 0 ? url : url.slice(0, at), hasSearch: at >= 0 };
}
