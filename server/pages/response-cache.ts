import type { OutgoingHttpHeaders } from 'node:http';
import { hasDoubledSlash } from '../http/common/address.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The compression that a browser accepts. Undefined: no compression. */
export type PageCompression = 'br' | 'gzip' | undefined;
export function chooseCompression(request: FastifyRequest): PageCompression {
  const acceptedEncodings = request.headers['accept-encoding'] ?? '';
  return /\bbr\b/.test(acceptedEncodings) ? 'br' : /\bgzip\b/.test(acceptedEncodings) ? 'gzip' : undefined;
}

interface CachedResponse {
  headers: OutgoingHttpHeaders;
  body: Buffer;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * A cache of responses that are the same for everyone. A cached response is sent again unchanged, with all its headers,
 * before any code identifies the sender. Only public pages are cached, and only without a query string: there are few
 * of them, so visitors cannot fill the memory.
 */
export class ResponseCache {
  readonly #answers = new Map<string, Map<PageCompression, CachedResponse>>();

  /** Adds a hook that answers requests for cached pages. Hooks that were added earlier still run. */
  answerFrom(app: FastifyInstance, isStopping: () => boolean): void {
    app.addHook('onRequest', (request, reply, done) => {
      if (request.method !== 'GET' || request.headers['if-none-match'] !== undefined || isStopping()) return done();
      if (hasDoubledSlash(request)) return done(); // redirected to the address with single slashes
      const cachedResponse = this.#answers.get(request.url)?.get(chooseCompression(request));
      if (!cachedResponse || Date.now() >= cachedResponse.until) return done();
      reply.hijack();
      reply.raw.writeHead(200, cachedResponse.headers);
      reply.raw.end(cachedResponse.body);
    });
  }

  /** Stores the body and the headers of a response that is sent right after this call. */
  store(request: FastifyRequest, reply: FastifyReply, body: Buffer, until: number): void {
    const headers = { ...reply.getHeaders(), 'content-length': body.length } as OutgoingHttpHeaders;
    if (request.method !== 'GET' || headers['set-cookie'] !== undefined) return;
    const responsesByCompression = this.#answers.get(request.url) ?? new Map<PageCompression, CachedResponse>();
    this.#answers.set(request.url, responsesByCompression.set(chooseCompression(request), { headers, body, until }));
  }

  clear(): void {
    this.#answers.clear();
  }
}
