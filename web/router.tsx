import { dehydrate, hydrate, QueryClientProvider, type DehydratedState } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { createQueryClient } from './data/query-client.ts';
import { routeTree } from './routeTree.gen.ts';
import { currentScope, type Shop } from './scope.ts';
import { parseSearch, stringifySearch } from './search.ts';

/** One router and one query client per request on the server, one of each in the browser. */
export function getRouter() {
  const { fetch, origin, sandbox, collectsTax } = currentScope();
  const queryClient = createQueryClient(fetch);
  const context = { queryClient, shop: { origin, sandbox, collectsTax }, renderedAt: Date.now() };
  const router = createRouter({
    routeTree,
    context,
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    scrollRestorationBehavior: 'instant',
    // Whoever waits longer than this sees the shape of the page to come.
    defaultPendingMs: 300,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    // The browser takes over what the server has fetched, and the shop it rendered for, before any route reads it.
    // Its data is JSON as the API gave it, and all there is once the loaders are done: nothing streams.
    dehydrate: () => ({
      shop: context.shop,
      renderedAt: context.renderedAt,
      queries: JSON.stringify(dehydrate(queryClient)),
    }),
    hydrate: (dehydrated: { shop: Shop; renderedAt: number; queries: string }) => {
      context.shop = dehydrated.shop;
      context.renderedAt = dehydrated.renderedAt;
      hydrate(queryClient, JSON.parse(dehydrated.queries) as DehydratedState);
    },
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof getRouter>;
  }
  interface StaticDataRouteOption {
    /** The page brings its own chrome: no storefront header, banner or footer (the admin panel). */
    bare?: boolean;
  }
}
