import type { FastifyInstance, FastifyRequest } from 'fastify';
import { proxyHeaderNames } from '../http/common/guards.ts';
import { inProcessHeader, inProcessKey, pageIdHeader } from '../http/common/in-process.ts';
import { maxPageAgeMs } from './page-age.ts';

export interface InProcessResponse {
  status: number;
  body: string;
  /** The parsed body. All readers of a cached response share this object. */
  value?: unknown;
  cookies: string[];
  retryAfter: string | undefined;
}

/**
 * Calls the API inside this process, for a page. With `visitor` the call has the visitor's cookies and address,
 * otherwise it is anonymous.
 */
export async function callApi(
  app: FastifyInstance,
  url: string,
  init: RequestInit | undefined,
  { visitor, requestId }: { visitor: FastifyRequest | undefined; requestId: string },
): Promise<InProcessResponse> {
  const response = await app.inject({
    url,
    method: (init?.method ?? 'GET') as 'GET',
    ...(visitor && { remoteAddress: visitor.socket.remoteAddress ?? visitor.ip }),
    headers: {
      ...(init?.headers as Record<string, string>),
      [inProcessHeader]: inProcessKey,
      [pageIdHeader]: requestId,
      ...(visitor && { cookie: visitor.headers.cookie ?? '' }),
      ...(visitor && headersToForward(visitor)),
    },
  });
  return {
    status: response.statusCode,
    body: response.body,
    cookies: visitor ? [response.headers['set-cookie'] ?? []].flat() : [],
    retryAfter: response.headers['retry-after']?.toString(),
  };
}

/** The headers with which guards decide where the visitor's request comes from. */
const headersToForward = ({ headers }: FastifyRequest) =>
  Object.fromEntries(
    ['host', ...proxyHeaderNames].flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );

/** Cached API responses that are the same for everyone, by address. */
export type ApiResponseCache = Map<string, { answer: Promise<InProcessResponse>; requestedAt: number }>;

export function requestOncePerPage(
  cache: ApiResponseCache,
  url: string,
  load: () => Promise<InProcessResponse>,
): Promise<InProcessResponse> {
  const cachedEntry = cache.get(url);
  if (cachedEntry && Date.now() - cachedEntry.requestedAt < maxPageAgeMs) return cachedEntry.answer;
  const entry = { answer: load(), requestedAt: Date.now() };
  cache.set(url, entry);
  const evict = () => cache.get(url) === entry && cache.delete(url);
  entry.answer.then(({ status }) => status !== 200 && evict(), evict);
  return entry.answer;
}
