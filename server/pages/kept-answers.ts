import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** How a browser wants a page packed; undefined for as it is. */
export type Packing = 'br' | 'gzip' | undefined;
export function packingFor(request: FastifyRequest): Packing {
  const accepted = request.headers['accept-encoding'] ?? '';
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}

interface Answer {
  headers: OutgoingHttpHeaders;
  body: Buffer;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * Answers that are the same for everyone, given again as they once went out, headers and all, before anything that finds
 * out who asks. Kept are public pages alone, by their bare address: few, and named by us.
 */
export class KeptAnswers {
  readonly #answers = new Map<string, Map<Packing, Answer>>();

  /** Those who ask from now on, and for no more than the page, are answered here. Hooks that come before see them still. */
  answerFrom(app: FastifyInstance, isStopping: () => boolean): void {
    app.addHook('onRequest', (request, reply, done) => {
      if (request.method !== 'GET' || request.headers['if-none-match'] !== undefined || isStopping()) return done();
      const answer = this.#answers.get(request.url)?.get(packingFor(request));
      if (!answer || Date.now() >= answer.until) return done();
      reply.hijack();
      reply.raw.writeHead(200, answer.headers);
      reply.raw.end(answer.body);
    });
  }

  /** The headers are those of this reply, which is about to go out whole. */
  keep(request: FastifyRequest, reply: FastifyReply, body: Buffer, until: number): void {
    const headers = { ...reply.getHeaders(), 'content-length': body.length } as OutgoingHttpHeaders;
    if (request.method !== 'GET' || headers['set-cookie'] !== undefined) return;
    const ways = this.#answers.get(request.url) ?? new Map<Packing, Answer>();
    this.#answers.set(request.url, ways.set(packingFor(request), { headers, body, until }));
  }

  clear(): void {
    this.#answers.clear();
  }
}
