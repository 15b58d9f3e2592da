import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Shop } from '../shop.ts';
import { askApi, onceFor, type ApiAnswer, type PublicData } from './in-process.ts';
import { takeMarks } from './scripts.ts';

/** What a page render is given (web/scope.ts). */
interface Scope {
  fetch: (url: string, init?: RequestInit) => Promise<Pick<Response, 'ok' | 'status' | 'statusText' | 'json' | 'text'>>;
  deliver: (html: string) => void;
  fault: (error: unknown) => void;
  nonce: string;
  origin: string;
  sandbox: boolean;
  collectsTax: boolean;
}
/** The build of web/server.tsx. */
export interface Pages {
  fetch(request: Request, options: { context: Scope }): Promise<Response>;
  /** Whether some page has this path; not whether what the path names is there. */
  isPage(path: string): boolean;
}

export interface RenderedPage {
  status: number;
  html: string;
  /** The inline scripts that the renderer wrote, which alone may run. */
  scripts: string[];
  /** The styles written into the page, which alone may apply. */
  styles: string[];
  location: string | null;
  cookies: string[];
  /** Seconds, where the page could not be made because the API asks to come back. */
  retryAfter: string | undefined;
}

interface Visit {
  url: string;
  /** Absent where the page is the same for everyone: it is asked for as nobody, and its data may be kept. */
  visitor: FastifyRequest | undefined;
  /** Of whoever asked for it. */
  requestId: string;
}

export async function render(
  pages: Pages,
  { app, shop }: { app: FastifyInstance; shop: Shop },
  { url, visitor, requestId }: Visit,
  kept: PublicData,
): Promise<RenderedPage> {
  const cookies: string[] = [];
  // New each time, so that no content can bear it.
  const nonce = randomBytes(16).toString('base64url');
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
        const ask = () => askApi(app, path, init, { visitor, requestId });
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
      fault: (error) => shop.log.error({ err: error, reqId: requestId }, 'unexpected error'),
      nonce,
    },
  });
  // To the router every failed call is a fault of ours.
  const askedBack = page.status >= 500 ? later : undefined;
  const rendered = {
    status: askedBack?.status ?? page.status,
    ...takeMarks(html, nonce),
    styles: [],
    location: page.headers.get('location'),
    cookies,
    retryAfter: askedBack?.retryAfter,
  };
  html = ''; // what rendered the page lives on until the slow collector comes, and would keep it
  return rendered;
}
