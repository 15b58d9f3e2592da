import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start';

/** The properties of the shop that every page can read. */
export interface Shop {
  /** BASE_URL without a trailing slash: canonical and sharing addresses start with it. */
  origin: string;
  /** Whether payments go to the built-in sandbox. Then no real card is charged. */
  sandbox: boolean;
  /** Whether sales tax is calculated at payment. */
  collectsTax: boolean;
}

/** The part of an API response that pages use. */
export type ApiResponse = Pick<Response, 'ok' | 'status' | 'statusText' | 'json' | 'text'> &
  Partial<Pick<Response, 'headers'>>;

/** How pages call the API. */
interface ApiAccess extends Shop {
  fetch: (url: string, init?: RequestInit) => Promise<ApiResponse>;
  /** Marks the scripts that the renderer writes. The server removes it from the page, so the browser has no nonce. */
  nonce?: string;
}
/** What the server passes to each page render: in-process access to the API, and the shop's properties. */
export interface PageContext extends ApiAccess {
  /** Receives the finished page as a string. A Response would encode the page, and the server would decode it again. */
  deliver: (html: string) => void;
  /** Logs an error that is not an error response of the API. The API logs its own errors. */
  fault: (error: unknown) => void;
}

declare module '@tanstack/react-start' {
  interface Register {
    server: { requestContext: PageContext };
  }
}

/**
 * On the server, returns the scope of this request. In the browser, returns the browser's fetch; hydration replaces the
 * placeholder shop values.
 */
export const currentPageContext = createIsomorphicFn()
  .server((): ApiAccess => {
    const startContext = getGlobalStartContext();
    if (!startContext) throw new Error('Pages render only inside a request');
    return startContext;
  })
  .client((): ApiAccess => ({
    fetch: (url, init) => fetch(url, init),
    origin: location.origin,
    sandbox: false,
    collectsTax: false,
  }));
