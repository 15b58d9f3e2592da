import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start';

/** What every page may know about the shop it is rendered for. */
export interface Shop {
  /** BASE_URL without a trailing slash: canonical and sharing addresses start with it. */
  origin: string;
  /** Payments are the built-in sandbox: no real card is charged. */
  sandbox: boolean;
  /** Sales tax is worked out when it comes to paying. */
  collectsTax: boolean;
}

/** Of an answer of the API, what pages use. */
export type ApiResponse = Pick<Response, 'ok' | 'status' | 'statusText' | 'json' | 'text'>;

/** How pages reach the API. */
interface Reach extends Shop {
  fetch: (url: string, init?: RequestInit) => Promise<ApiResponse>;
  /** Marks the scripts we write ourselves. The page goes out without it: in the browser there is none. */
  nonce?: string;
}
/** What the server gives each page render: the API in process, and which shop this is. */
export interface Scope extends Reach {
  /** Takes the finished page: in a Response it would be encoded and decoded again. */
  deliver: (html: string) => void;
  /** Notes what broke and is no answer of the API, which notes its own. */
  fault: (error: unknown) => void;
}

declare module '@tanstack/react-start' {
  interface Register {
    server: { requestContext: Scope };
  }
}

/** On the server, the scope given with this request. In the browser, its own fetch; the shop arrives by hydration. */
export const currentScope = createIsomorphicFn()
  .server((): Reach => {
    const scope = getGlobalStartContext();
    if (!scope) throw new Error('Pages render only inside a request');
    return scope;
  })
  .client((): Reach => ({
    fetch: (url, init) => fetch(url, init),
    origin: location.origin,
    sandbox: false,
    collectsTax: false,
  }));
