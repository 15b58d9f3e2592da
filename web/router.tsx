import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { takePageData } from './data/page-data.tsx';
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
    dehydrate: () => ({ shop: context.shop, renderedAt: context.renderedAt }),
    hydrate: ({ shop, renderedAt }: { shop: Shop; renderedAt: number }) => {
      context.shop = shop;
      context.renderedAt = renderedAt;
      takePageData(queryClient);
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
