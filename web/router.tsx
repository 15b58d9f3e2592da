import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, createSerializationAdapter } from '@tanstack/react-router';
import { dayOf } from '#contract/calendar.ts';
import { ApiError } from './data/api.ts';
import { takePageData } from './data/page-data.tsx';
import { createQueryClient } from './data/query-client.ts';
import { routeTree } from './routeTree.gen.ts';
import { currentScope, type Shop } from './scope.ts';
import { parseSearch, stringifySearch } from './search.ts';
import { ErrorPage } from './shell/problem-page.tsx';
import { RoutedNavigation } from './shell/routed-navigation.tsx';

/** One router and one query client per request on the server, one of each in the browser. */
export function getRouter() {
  const { fetch, origin, sandbox, collectsTax, nonce } = currentScope();
  const queryClient = createQueryClient(fetch);
  const context = {
    queryClient,
    shop: { origin, sandbox, collectsTax },
    day: import.meta.env.SSR ? dayOf(Date.now()) : '',
  };
  const router = createRouter({
    routeTree,
    context,
    ...(nonce !== undefined && { ssr: { nonce } }),
    parseSearch,
    stringifySearch,
    scrollRestoration: staysWhereScrolled(),
    scrollRestorationBehavior: 'instant',
    // Whoever waits longer than this sees the shape of the page to come.
    defaultPendingMs: 300,
    // No longer than that: it shows the data once it is there, and what is clicked in it would go with it.
    defaultPendingMinMs: 0,
    defaultErrorComponent: ({ error }) => <ErrorPage error={error} onRetry={() => void router.invalidate()} />,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    InnerWrap: RoutedNavigation,
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    // The browser takes over what the server has fetched, and the shop it rendered for, before any route reads it.
    dehydrate: () => ({ shop: context.shop, day: context.day }),
    hydrate: ({ shop, day }: { shop: Shop; day: string }) => {
      context.shop = shop;
      context.day = day;
      takePageData(queryClient);
    },
  });
  router.options.serializationAdapters = [apiErrors];
  return router;
}

/** What the API refused while the server rendered is told in the browser by its words and its number, too. */
const apiErrors = createSerializationAdapter({
  key: 'ApiError',
  test: (value): value is ApiError => value instanceof ApiError,
  toSerializable: ({ status, text }) => ({ status, text }),
  fromSerializable: ({ status, text }) => new ApiError(status, text),
});

/**
 * Back and forward lead to where one was, everything else to the top of a page. Not the first render in the browser: the
 * server's page has been scrolled to its place long before, and since then perhaps by the one who reads it.
 */
function staysWhereScrolled() {
  let isAwake = false;
  return () => {
    const mayScroll = import.meta.env.SSR || isAwake || scrollY === 0;
    isAwake = true;
    return mayScroll;
  };
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
