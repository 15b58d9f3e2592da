import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { maxPageAgeMs } from './page-age.ts';
import { type ResponseCache, chooseCompression } from './response-cache.ts';
import { reportingEndpoints } from './policy.ts';
import type { RenderedPage } from './render.ts';

export interface CachedPage {
  status: number;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
  etag: string;
  policy: string;
  madeAt: number;
}

export async function compressPage({ status, html }: RenderedPage, policy: string): Promise<CachedPage> {
  const plainBytes = Buffer.from(html);
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(plainBytes, { level: 7 }),
    // The highest quality that is still fast. Most pages then fit into 14 KB, which a server sends in the first round
    // trip.
    promisify(brotliCompress)(plainBytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
  ]);
  const etag = createHash('sha256').update(plainBytes).digest('base64url').slice(0, 22);
  return { status, plain: plainBytes, gzip: gzipped, brotli, etag, policy, madeAt: Date.now() };
}

/**
 * Sends the page. If `responseCache` is given, stores the response there, for later requests while the page is fresh.
 */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  page: CachedPage,
  responseCache?: ResponseCache,
) {
  const compression = chooseCompression(request);
  const etag = `W/"${page.etag}${compression ? `-${compression}` : ''}"`;
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': page.policy,
    'reporting-endpoints': reportingEndpoints,
    vary: 'accept-encoding',
    ...(compression && { 'content-encoding': compression }),
    ...(page.status === 200 ? { 'cache-control': 'public, no-cache', etag } : { 'cache-control': 'private, no-store' }),
  });
  if (page.status === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
  const body = compression === 'br' ? page.brotli : compression === 'gzip' ? page.gzip : page.plain;
  responseCache?.store(request, reply, body, page.madeAt + maxPageAgeMs);
  return reply.code(page.status).send(request.method === 'HEAD' ? '' : body);
}
