import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/refusals.ts';
import { mediaOrigins } from '#shop/content/media-origins.ts';
import type { Door } from '../http/door/door.ts';
import { counter } from '../http/door/rate-limit.ts';
import { asleep, type StyleAt } from './asleep.ts';
import { packed, sendCached, type CachedPage } from './cache.ts';
import { freshMs } from './fresh.ts';
import type { PublicData } from './in-process.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { changesPage } from './origin-params.ts';
import { policyFor } from './policy.ts';
import { publicPages } from './public-pages.ts';
import { render, type Pages } from './render.ts';

/** What is sent to everyone alike goes into `kept`, from where the app gives it again. */
export type ServePages = (door: Door, kept: KeptAnswers) => Promise<void>;

/** So soon it is tried again where rendering failed. */
const retryMs = 5_000;
/** Token and admin pages tell no other site where the visitor was. */
const quietPages =
  /^\/(admin|collect|delivery|proof|customer-upload|purchase-success|orders|review|welcome|upload|auth|complete-registration|checkout|payment-success|addon-|connect|sandbox|unsubscribe)/i;
const adminPages = /^\/admin(-login)?(\/|$)/i;
/** Pages of a signed-in customer: anyone else is sent to sign in, and back. */
const customersPages =
  /^\/(upload|select-frame|device-setup-pending|addon-checkout|orders|connect|account(\/erased\/[^/]+)?)\/?$/i;
/** An address that no page has: it is answered alike wherever it is, and kept as the public pages are. */
const nowhere = '/nowhere';

interface Mounting {
  withPolicy: boolean;
  /** Reads a style of the build by its address; with it, pages that are the same for everyone are sent asleep. */
  styleAt?: StyleAt;
  /** Names of the build's files by the folder they are in (`/assets/`), to be sent by `reply.sendFile`. */
  files?: ReadonlyMap<string, ReadonlySet<string>>;
  kept?: KeptAnswers;
}

/** Answer every GET that no other route claims with a file of the build or a server-rendered page. */
export async function mountPages(
  { app, shop }: Door,
  load: () => Promise<Pages>,
  { withPolicy, styleAt, files = new Map(), kept }: Mounting,
) {
  const cache = new Map<string, Promise<CachedPage>>();
  const publicData: PublicData = new Map();
  let media: Promise<string[]> | undefined;
  let clearings = 0;
  const clear = () => {
    clearings += 1;
    kept?.clear();
    cache.clear();
    publicData.clear();
    media = undefined;
  };
  shop.contentNews.onChange(clear);
  /** A page from memory costs next to nothing; rendering one takes a thousandth of a second that nobody else has. */
  const secondsToWait = counter(app, 'page', { skipOnError: true });

  const route = { schema: { hide: true }, config: { isPage: true } };
  app.get<Anywhere>('/*', route, answer);
  for (const [folder, names] of files)
    app.get<Anywhere>(`${folder}*`, route, async (request, reply) => {
      const name = request.params['*'];
      return names.has(name) ? reply.sendFile(folder + name) : answer(request, reply);
    });

  type Anywhere = { Params: { '*': string } };
  async function answer(request: FastifyRequest<Anywhere>, reply: FastifyReply) {
    const { path, search } = partsOf(request.url);
    // As the router reads it: decoded.
    const meant = request.routeOptions.url!.slice(0, -1) + request.params['*'];
    if (quietPages.test(meant)) reply.header('referrer-policy', 'no-referrer');
    if (adminPages.test(meant) && !app.guards.isAllowedAddress(request)) throw new Refusal('address-not-allowed');
    if (adminPages.test(meant) && new URLSearchParams(search).has('admin_key')) return leaveKeyBehind(request, reply);
    const pages = await load();
    const isPublic = publicPages.has(path);
    if (withPolicy && isPublic && !changesPage(search)) {
      const before = clearings;
      const page = await cached(path, request.id);
      const isCurrent = before === clearings && page.status === 200 && request.url === path;
      return sendCached(request, reply, page, isCurrent ? kept : undefined);
    }
    if (withPolicy && !isPublic && !pages.isPage(path))
      return sendCached(request, reply, await cached(nowhere, request.id));
    const seconds = await secondsToWait(request);
    if (seconds > 0) {
      reply.header('retry-after', seconds);
      throw new Refusal('too-many-requests');
    }
    if (customersPages.test(meant) && !(await isSignedIn(request)))
      return reply
        .header('cache-control', 'private, no-store')
        .redirect(`/auth?${new URLSearchParams({ returnTo: request.url })}`, 303);
    const visitor = isPublic ? undefined : request;
    const page = await render(pages, { app, shop }, { url: request.url, visitor, requestId: request.id }, publicData);
    for (const cookie of page.cookies) void reply.header('set-cookie', cookie);
    if (withPolicy) reply.header('content-security-policy', policyFor(page, shop, await mediaNow(), path));
    else reply.removeHeader('content-security-policy');
    if (page.location !== null) reply.header('location', page.location);
    if (page.retryAfter !== undefined) reply.header('retry-after', page.retryAfter);
    return reply
      .code(page.status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .send(request.method === 'HEAD' ? '' : Buffer.from(page.html));
  }

  /** The admin's key becomes a cookie, and the browser goes on at an address without it before anything is shown there. */
  async function leaveKeyBehind(request: FastifyRequest, reply: FastifyReply) {
    await app.guards.isAdmin(request, reply);
    const { path, search } = partsOf(request.url);
    const rest = new URLSearchParams(search);
    rest.delete('admin_key');
    const address = rest.size === 0 ? path : `${path}?${rest.toString()}`;
    return reply.header('cache-control', 'private, no-store').redirect(address, 303);
  }

  /** Where that cannot be known now, the page itself says so. */
  const isSignedIn = (request: FastifyRequest) =>
    app.guards.maybeCustomer(request).then(
      (customer) => customer !== undefined,
      () => true,
    );

  /** A page without another site's pictures is better than no page. */
  async function mediaNow(): Promise<string[]> {
    const asked = (media ??= mediaOrigins(shop.readContent));
    return asked.catch(() => {
      if (media === asked) media = undefined;
      return [];
    });
  }

  async function cached(path: string, requestId: string): Promise<CachedPage> {
    const known = cache.get(path);
    const old = await known;
    if (old && Date.now() - old.madeAt < freshMs) return old;
    if (cache.get(path) !== known) return cached(path, requestId); // someone else is at it already
    const made = renderAnew(path, requestId, old);
    // One render for all who wait; what came out wrong is not kept.
    cache.set(path, made);
    const forget = () => cache.get(path) === made && cache.delete(path);
    const wanted = path === nowhere ? 404 : 200;
    made.then((page) => page.status !== wanted && forget(), forget);
    return made;
  }

  /** A part of the shop that is down for a while takes no page away that was there before. */
  async function renderAnew(path: string, requestId: string, old: CachedPage | undefined): Promise<CachedPage> {
    try {
      const page = await render(await load(), { app, shop }, { url: path, visitor: undefined, requestId }, publicData);
      if (page.status < 500 || !old) {
        const sent = styleAt ? await asleep(page, styleAt) : page;
        return await packed(sent, policyFor(sent, shop, await mediaNow()));
      }
    } catch (error) {
      if (!old) throw error;
      shop.log.warn({ err: error, path }, 'a page could not be rendered anew');
    }
    return { ...old, madeAt: Date.now() - freshMs + retryMs };
  }
}

function partsOf(url: string): { path: string; search: string } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, search: '' } : { path: url.slice(0, at), search: url.slice(at + 1) };
}
