import { type FetchQueryOptions, notifyManager, QueryClient, type QueryFunction } from '@tanstack/react-query';
import type { Scope } from '../scope.ts';
import { readJson, requestInit } from './api.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { on401?: 'null' };
  }
}

// Before the next frame and the next event: a box that is ticked by what the cache holds never shows unticked in between.
notifyManager.setScheduler(queueMicrotask);

/**
 * The specified shared behaviour: a query without its own queryFn GETs the URL its key spells out (['/api', 'user'] is
 * /api/user), nothing goes stale, nothing is fetched again on its own, nothing is retried.
 */
export const createQueryClient = (fetch: Scope['fetch']) =>
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
          const response = await fetch(queryKey.join('/'), { ...requestInit(), signal });
          return response.status === 401 && meta?.on401 === 'null' ? null : readJson(response);
        },
      },
      mutations: { retry: false },
    },
  });

/**
 * For one page on the server: each address is asked once, and what fails stays open. The original's way to retry and
 * cancel gives every query a hidden class of its own, through which a page's whole memory outlives it by seconds.
 */
class ServerQueryClient extends QueryClient {
  readonly #asked = new Map<string, Promise<unknown>>();

  override fetchQuery(options: object): Promise<never> {
    const { queryHash, queryKey, queryFn, meta } = this.defaultQueryOptions(options as FetchQueryOptions);
    let asked = this.#asked.get(queryHash);
    if (!asked) {
      const ask = async () => (queryFn as QueryFunction)({ client: this, queryKey, meta } as never);
      asked = ask().then((data) => this.setQueryData(queryKey, data));
      this.#asked.set(queryHash, asked);
      asked.catch(() => this.#asked.delete(queryHash));
    }
    return asked as Promise<never>;
  }
}
