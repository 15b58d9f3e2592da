import { createRouter } from '@tanstack/react-router';
import { setupRouterSsrQueryIntegration } from '@tanstack/react-router-ssr-query';
import { createQueryClient } from './data/query-client.ts';
import { routeTree } from './routeTree.gen.ts';
import { currentScope, type Shop } from './scope.ts';
import { parseSearch, stringifySearch } from './search.ts';

/** One router and one query client per request on the server, one of each in the browser. */
export function getRouter() {
  const { fetch, origin, sandbox } = currentScope();
  const queryClient = createQueryClient(fetch);
  const context = { queryClient, shop: { origin, sandbox }, renderedAt: Date.now() };
  const router = createRouter({
    routeTree,
    context,
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    scrollRestorationBehavior: 'instant',
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    // The browser takes over the shop the server rendered for, before any route reads it.
    dehydrate: () => ({ shop: context.shop, renderedAt: context.renderedAt }),
    hydrate: (dehydrated: { shop: Shop; renderedAt: number }) => {
      context.shop = dehydrated.shop;
      context.renderedAt = dehydrated.renderedAt;
    },
  });
  setupRouterSsrQueryIntegration({ router, queryClient });
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
