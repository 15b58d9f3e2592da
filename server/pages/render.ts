import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Shop } from '../shop.ts';
import { callApi, requestOncePerPage, type InProcessResponse, type ApiResponseCache } from './in-process.ts';
import { removeNonces } from './scripts.ts';

/** The input for rendering a page (web/page-context.ts). */
interface RenderContext {
  fetch: (url: string, init?: RequestInit) => Promise<Pick<Response, 'ok' | 'status' | 'statusText' | 'json' | 'text'>>;
  deliver: (html: string) => void;
  fault: (error: unknown) => void;
  nonce: string;
  origin: string;
  sandbox: boolean;
  collectsTax: boolean;
}
/** The interface of web/server.tsx, built or in development. */
export interface PageRenderer {
  fetch(request: Request, options: { context: RenderContext }): Promise<Response>;
  /** True if the path belongs to a page. The order or frame that the path names may still not exist. */
  isPage(path: string): boolean;
}

export interface RenderedPage {
  status: number;
  html: string;
  /** The inline scripts that the renderer wrote. The policy allows no other inline script. */
  scripts: string[];
  /** The inline styles of the page. The policy allows no other style element. */
  styles: string[];
  location: string | null;
  cookies: string[];
  /** The `retry-after` of an API response, if the page failed because the API asked to try again later. */
  retryAfter: string | undefined;
}

interface Visit {
  url: string;
  /**
   * Undefined if the page is the same for everyone. Its API calls are then anonymous, and their responses may be
   * cached.
   */
  visitor: FastifyRequest | undefined;
  /** The id of the request for the page. */
  requestId: string;
}

export async function renderPage(
  pages: PageRenderer,
  { app, shop }: { app: FastifyInstance; shop: Shop },
  { url, visitor, requestId }: Visit,
  publicData: ApiResponseCache,
): Promise<RenderedPage> {
  const cookies: string[] = [];
  // A new nonce for each rendering, so that content cannot contain it.
  const nonce = randomBytes(16).toString('base64url');
  let html = '';
  let later: InProcessResponse | undefined;
  // Do not use `new URL(url, origin)`: the path `//evil` would replace the host.
  const request = new Request(shop.config.baseUrl + url, { headers: { accept: 'text/html' } });
  const pageResponse = await pages.fetch(request, {
    context: {
      origin: shop.config.baseUrl,
      sandbox: shop.sandbox !== undefined,
      collectsTax: shop.config.collectsTax,
      async fetch(path, init) {
        const load = () => callApi(app, path, init, { visitor, requestId });
        const response = await (visitor ? load() : requestOncePerPage(publicData, path, load));
        cookies.push(...response.cookies);
        const { status, body } = response;
        const isOk = status >= 200 && status < 300;
        if (status === 429 || status === 503) later = response;
        return {
          ok: isOk,
          status,
          statusText: '',
          json: async () => (response.value ??= JSON.parse(body)),
          text: async () => body,
        };
      },
      deliver: (whole) => (html = whole),
      fault: (error) => shop.log.error({ err: error, reqId: requestId }, 'unexpected error'),
      nonce,
    },
  });
  // The router answers 500 for every failed call. If the API answered 429 or 503, send that status instead.
  const unavailableAnswer = pageResponse.status >= 500 ? later : undefined;
  const renderedPage = {
    status: unavailableAnswer?.status ?? pageResponse.status,
    ...removeNonces(html, nonce),
    styles: [],
    location: pageResponse.headers.get('location'),
    cookies,
    retryAfter: unavailableAnswer?.retryAfter,
  };
  html = ''; // clear the reference, because closures of the rendering stay in memory until a major garbage collection
  return renderedPage;
}
