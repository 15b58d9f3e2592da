import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/refusals.ts';
import { readMediaOrigins } from '#shop/content/media-origins.ts';
import type { HttpScope } from '../http/common/http-scope.ts';
import { hasDoubledSlash } from '../http/common/address.ts';
import { createRateCounter } from '../http/common/rate-limit.ts';
import { deferScripts, type ReadStylesheet } from './defer-scripts.ts';
import { compressPage, sendCached, type CachedPage } from './cache.ts';
import { maxPageAgeMs } from './page-age.ts';
import type { ApiResponseCache } from './in-process.ts';
import type { ResponseCache } from './response-cache.ts';
import { doesQueryChangePage } from './origin-params.ts';
import { createSecurityPolicy, reportingEndpoints } from './policy.ts';
import { publicPages } from './public-pages.ts';
import { renderPage, type PageRenderer } from './render.ts';

/**
 * Mounts the pages. Responses that are the same for everyone are stored in `responseCache`, and the app sends them
 * again from there.
 */
export type ServePages = (httpScope: HttpScope, responseCache: ResponseCache) => Promise<void>;

/** How long the old page is served after its rendering failed, before it is rendered again. */
const retryMs = 5_000;
/**
 * Admin pages, and pages whose address may contain a token or an order number. They send no referrer, so that other
 * sites do not see it.
 */
const pagesWithoutReferrer =
  /^\/(admin|cart|collect|delivery|film|gift-cards\/.|proof|customer-upload|purchase-success|orders|review|welcome|upload|auth|complete-registration|checkout|payment-success|addon-|connect|sandbox|unsubscribe)/i;
const adminPages = /^\/admin(-login|-invitation)?(\/|$)/i;
/** Pages of a signed-in customer. Anyone else is redirected to sign in, and then back. */
const customersPages =
  /^\/(upload|select-frame|device-setup-pending|addon-checkout|orders|connect|account(\/erased\/[^/]+)?)\/?$/i;
/** Slashes, backslashes, percent signs and control characters, in encoded form. */
const encodedSeparatorPattern = /%(2F|5C|25|[01][0-9A-F]|7F)/;
/**
 * The cache key for all addresses without a page. Their response is the same, so it is rendered once and cached like a
 * public page.
 */
const missingPagePath = '/nowhere';

interface MountScope {
  withPolicy: boolean;
  /**
   * Reads the parts of a stylesheet of the build. If given, pages that are the same for everyone are changed by
   * `deferScripts`.
   */
  styleAt?: ReadStylesheet;
  /** File names of the build by folder (such as `/assets/`), to send with `reply.sendFile`. */
  files?: ReadonlyMap<string, ReadonlySet<string>>;
  responseCache?: ResponseCache;
}

/** Answer each GET request without another route with a file of the build or a server-rendered page. */
export async function mountPages(
  { app, shop }: HttpScope,
  load: () => Promise<PageRenderer>,
  { withPolicy, styleAt, files = new Map(), responseCache }: MountScope,
) {
  const cache = new Map<string, Promise<CachedPage>>();
  const apiResponseCache: ApiResponseCache = new Map();
  let mediaOriginsPromise: Promise<string[]> | undefined;
  let clearings = 0;
  const clearCaches = () => {
    clearings += 1;
    responseCache?.clear();
    cache.clear();
    apiResponseCache.clear();
    mediaOriginsPromise = undefined;
  };
  shop.contentNews.onChange(clearCaches);
  /**
   * Only rendered pages are counted: rendering blocks the process for a millisecond, but a cached page costs almost
   * nothing.
   */
  const secondsToWait = createRateCounter(app, 'page', { skipOnError: true });

  const pageRouteOptions = { schema: { hide: true }, config: { isPage: true } };
  app.get<AnyPathRoute>('/*', pageRouteOptions, sendPage);
  for (const [folder, names] of files)
    app.get<AnyPathRoute>(`${folder}*`, pageRouteOptions, async (request, reply) => {
      const name = request.params['*'];
      return names.has(name) ? reply.sendFile(folder + name) : sendPage(request, reply);
    });

  type AnyPathRoute = { Params: { '*': string } };
  async function sendPage(request: FastifyRequest<AnyPathRoute>, reply: FastifyReply) {
    const { path, search } = splitUrl(request.url);
    if (pagesWithoutReferrer.test(path) || customersPages.test(path)) reply.header('referrer-policy', 'no-referrer');
    if (adminPages.test(path) && !app.guards.isAllowedAddress(request)) throw new Refusal('address-not-allowed');
    if (adminPages.test(path) && new URLSearchParams(search).has('admin_key')) return leaveKeyBehind(request, reply);
    // Redirect to single slashes. The code of the page would read the address `//faq` as a host.
    if (hasDoubledSlash(request)) return reply.header('cache-control', 'private, no-store').redirect(request.url, 308);
    // The router of the pages decodes the path again. With these characters it would find another page than the rules
    // above checked.
    if (encodedSeparatorPattern.test(path)) throw new Refusal('not-found');
    const pageRenderer = await load();
    const isPublic = publicPages.has(path);
    if (withPolicy && isPublic && !doesQueryChangePage(search)) {
      const clearCountBefore = clearings;
      const page = await readOrRenderPage(path, request.id);
      const isCurrent = clearCountBefore === clearings && page.status === 200 && request.url === path;
      return sendCached(request, reply, page, isCurrent ? responseCache : undefined);
    }
    if (withPolicy && !isPublic && !pageRenderer.isPage(path))
      return sendCached(request, reply, await readOrRenderPage(missingPagePath, request.id));
    const seconds = await secondsToWait(request);
    if (seconds > 0) {
      reply.header('retry-after', seconds);
      throw new Refusal('too-many-requests');
    }
    if (customersPages.test(path) && !(await isSignedIn(request)))
      return reply
        .header('cache-control', 'private, no-store')
        .redirect(`/auth?${new URLSearchParams({ returnTo: request.url })}`, 303);
    const visitor = isPublic ? undefined : request;
    const page = await renderPage(
      pageRenderer,
      { app, shop },
      { url: request.url, visitor, requestId: request.id },
      apiResponseCache,
    );
    for (const cookie of page.cookies) void reply.header('set-cookie', cookie);
    if (withPolicy)
      reply.headers({
        'content-security-policy': createSecurityPolicy(page, shop, await readMediaOriginsOrNone(), {
          path,
          isPanel: adminPages.test(path),
        }),
        'reporting-endpoints': reportingEndpoints,
      });
    else reply.removeHeader('content-security-policy');
    if (page.location !== null) reply.header('location', page.location);
    if (page.retryAfter !== undefined) reply.header('retry-after', page.retryAfter);
    return reply
      .code(page.status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .send(request.method === 'HEAD' ? '' : Buffer.from(page.html));
  }

  /**
   * Exchange the admin's key for a session cookie, and redirect to the address without the key. No page is shown while
   * the key is in the address.
   */
  async function leaveKeyBehind(request: FastifyRequest, reply: FastifyReply) {
    await app.guards.panelPerson(request, reply);
    const { path, search } = splitUrl(request.url);
    const otherParams = new URLSearchParams(search);
    otherParams.delete('admin_key');
    const address = otherParams.size === 0 ? path : `${path}?${otherParams.toString()}`;
    return reply.header('cache-control', 'private, no-store').redirect(address, 303);
  }

  /** Also true if the check fails, for example because the database is down: the page then reports the error. */
  const isSignedIn = (request: FastifyRequest) =>
    app.guards.findCustomer(request).then(
      (customer) => customer !== undefined,
      () => true,
    );

  /**
   * The sites of pictures and videos in content. Empty if they cannot be read: a page without pictures of other sites
   * is better than no page.
   */
  async function readMediaOriginsOrNone(): Promise<string[]> {
    const originsRequest = (mediaOriginsPromise ??= readMediaOrigins(shop.readContent));
    return originsRequest.catch(() => {
      if (mediaOriginsPromise === originsRequest) mediaOriginsPromise = undefined;
      return [];
    });
  }

  async function readOrRenderPage(path: string, requestId: string): Promise<CachedPage> {
    const cachedPageEntry = cache.get(path);
    const olderEntry = await cachedPageEntry;
    if (olderEntry && Date.now() - olderEntry.madeAt < maxPageAgeMs) return olderEntry;
    if (cache.get(path) !== cachedPageEntry) return readOrRenderPage(path, requestId); // another request has started to render the page
    const renderedPagePromise = renderAgain(path, requestId, olderEntry);
    // All waiting requests share one render. A failed render is not kept.
    cache.set(path, renderedPagePromise);
    const dropPage = () => cache.get(path) === renderedPagePromise && cache.delete(path);
    const wantedStatus = path === missingPagePath ? 404 : 200;
    renderedPagePromise.then((page) => page.status !== wantedStatus && dropPage(), dropPage);
    return renderedPagePromise;
  }

  /** Renders the page again. If that fails, returns the old page, if there is one. */
  async function renderAgain(path: string, requestId: string, olderEntry: CachedPage | undefined): Promise<CachedPage> {
    try {
      const page = await renderPage(
        await load(),
        { app, shop },
        { url: path, visitor: undefined, requestId },
        apiResponseCache,
      );
      if (page.status < 500 || !olderEntry) {
        const sentPage = styleAt ? await deferScripts(page, styleAt) : page;
        return await compressPage(sentPage, createSecurityPolicy(sentPage, shop, await readMediaOriginsOrNone()));
      }
    } catch (error) {
      if (!olderEntry) throw error;
      shop.log.warn({ err: error, path }, 'a page could not be rendered again');
    }
    return { ...olderEntry, madeAt: Date.now() - maxPageAgeMs + retryMs };
  }
}

function splitUrl(url: string): { path: string; search: string } {
  const queryStart = url.indexOf('?');
  return queryStart < 0
    ? { path: url, search: '' }
    : { path: url.slice(0, queryStart), search: url.slice(queryStart + 1) };
}
