import { type FetchQueryOptions, notifyManager, QueryClient, type QueryFunction } from '@tanstack/react-query';
import type { PageContext } from '../page-context.ts';
import { readJson, createRequestInit } from './api.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { on401?: 'null' };
  }
}

// Notify subscribers in a microtask, before the browser paints or handles the next event. Otherwise a checkbox whose
// state comes from the cache would show its old state for a moment.
notifyManager.setScheduler(queueMicrotask);

/**
 * The specified behavior of all queries. A query without its own queryFn sends a GET request to the URL of its key:
 * ['/api', 'user'] is /api/user. Data never becomes stale. There are no automatic refetches and no retries.
 */
export const createQueryClient = (fetch: PageContext['fetch']) =>
  new (import.meta.env.SSR ? ServerQueryClient : QueryClient)({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        retry: false,
        refetchInterval: false,
        refetchOnMount: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        queryFn: async ({ queryKey, signal, meta }) => {
          const response = await fetch(queryKey.join('/'), { ...createRequestInit(), signal });
          return response.status === 401 && meta?.on401 === 'null' ? null : readJson(response);
        },
      },
      mutations: { retry: false },
    },
  });

/**
 * The query client for one page render on the server. Fetches each address once, and again only after a failure. Does
 * not use the retries and the cancellation of the base class: they create a new hidden class in the JavaScript engine
 * for every query, and these hidden classes keep all memory of a page alive for seconds after the page is done.
 */
class ServerQueryClient extends QueryClient {
  readonly #pending = new Map<string, Promise<unknown>>();

  override fetchQuery(options: object): Promise<never> {
    const { queryHash, queryKey, queryFn, meta } = this.defaultQueryOptions(options as FetchQueryOptions);
    let pendingQuery = this.#pending.get(queryHash);
    if (!pendingQuery) {
      const fetchData = async () => (queryFn as QueryFunction)({ client: this, queryKey, meta } as never);
      pendingQuery = fetchData().then((data) => this.setQueryData(queryKey, data));
      this.#pending.set(queryHash, pendingQuery);
      pendingQuery.catch(() => this.#pending.delete(queryHash));
    }
    return pendingQuery as Promise<never>;
  }
}
