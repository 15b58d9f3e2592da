import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start';

/** What every page may know about the shop it is rendered for. */
export interface Shop {
  /** BASE_URL without a trailing slash: canonical and sharing addresses start with it. */
  origin: string;
  /** Payments are the built-in sandbox: no real card is charged. */
  sandbox: boolean;
}

/** What the server gives each page render: how to reach the API in process, and which shop this is. */
export interface Scope extends Shop {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
}

declare module '@tanstack/react-start' {
  interface Register {
    server: { requestContext: Scope };
  }
}

/** On the server, the scope given with this request. In the browser, its own fetch; the shop arrives by hydration. */
export const currentScope = createIsomorphicFn()
  .server((): Scope => {
    const scope = getGlobalStartContext();
    if (!scope) throw new Error('Pages render only inside a request');
    return scope;
  })
  .client((): Scope => ({ fetch: (url, init) => fetch(url, init), origin: location.origin, sandbox: false }));
