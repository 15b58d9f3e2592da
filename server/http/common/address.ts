import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/refusals.ts';
import { sendRefusal } from './errors.ts';

/** The scheme and host of an absolute-form request target, which clients of a proxy send (RFC 9112, 3.2.2). */
const originPattern = /^https?:\/\/[^/?#]*/i;
/**
 * Matches paths that must be normalized or refused: they contain characters that are not allowed or can be encoded in
 * more than one way. Most paths do not match and are used as they are.
 */
const irregularPathPattern = /[^!$&-;=@-Z^-z|~]|\/[./]/;
/** Characters that have the same meaning with and without percent-encoding (RFC 3986, 2.3). */
const isUnreserved = (character: string) => /^[\w.~-]$/.test(character);
const dotSegmentPattern = /\/\.\.?(\/|$)/;

/**
 * Returns the normal form of a request target: without its origin, without encoded unreserved characters, and with
 * single slashes. Returns undefined if its path contains dot segments, a backslash, a fragment, spaces or control or
 * non-ASCII characters, because the shop has no such addresses.
 */
export function normalizeTarget(target: string): string | undefined {
  const pathWithoutOrigin = target.replace(originPattern, '');
  const queryStart = pathWithoutOrigin.indexOf('?');
  const path = queryStart < 0 ? pathWithoutOrigin : pathWithoutOrigin.slice(0, queryStart);
  const search = queryStart < 0 ? '' : pathWithoutOrigin.slice(queryStart);
  if (path === '' && pathWithoutOrigin !== target) return `/${search}`;
  if (path.startsWith('/') && !irregularPathPattern.test(path)) return pathWithoutOrigin;
  if (!path.startsWith('/') || /[\\#]|[^!-~]/.test(path)) return undefined;
  const normalPath = path
    .replaceAll(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return isUnreserved(character) ? character : encoded.toUpperCase();
    })
    .replaceAll(/\/{2,}/g, '/');
  return dotSegmentPattern.test(normalPath) ? undefined : normalPath + search;
}

/** Requests whose target has no normal form. */
const irregularRequests = new WeakSet<object>();

/**
 * Replaces the address of a request with its normal form before routing, so that the router, guards and rate limits see
 * the same address.
 */
export function rewriteUrl(raw: { url?: string | undefined }): string {
  const target = raw.url ?? '';
  const normalTarget = normalizeTarget(target);
  if (normalTarget === undefined) irregularRequests.add(raw);
  return normalTarget ?? target;
}

/**
 * Refuse addresses that `rewriteUrl` could not normalize. Also refuse double slashes in addresses of API calls and
 * files. Pages redirect double slashes to the address with single slashes.
 */
export function refuseIrregularAddresses(app: FastifyInstance): void {
  // Answer here instead of throwing: a scope with its own error handler, such as the payment sandbox, cannot answer
  // refusals.
  app.addHook('onRequest', async (request, reply) => {
    if (irregularRequests.has(request.raw)) return sendRefusal(request, reply, new Refusal('invalid-request'));
    const isPage = request.routeOptions.config?.isPage ?? false;
    if (!isPage && hasDoubledSlash(request)) return sendRefusal(request, reply, new Refusal('not-found'));
  });
}

export const hasDoubledSlash = ({ originalUrl, url }: FastifyRequest): boolean =>
  originalUrl !== url && originalUrl.replace(originPattern, '').split('?', 1)[0]!.includes('//');
