import { QueryClient } from '@tanstack/react-query';
import type { Scope } from '../scope.ts';
import { readJson, requestInit } from './api.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { on401?: 'null' };
  }
}

/**
 * The specified shared behaviour: a query without its own queryFn GETs the URL its key spells out (['/api', 'user'] is
 * /api/user), nothing goes stale, nothing is fetched again on its own, nothing is retried.
 */
export const createQueryClient = (fetch: Scope['fetch']) =>
  new QueryClient({
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
