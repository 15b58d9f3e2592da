import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, createSerializationAdapter } from '@tanstack/react-router';
import { toShopDay } from '#contract/calendar.ts';
import { ApiError } from './data/api.ts';
import { loadPageDataIntoCache } from './data/page-data.tsx';
import { createQueryClient } from './data/query-client.ts';
import { routeTree } from './routeTree.gen.ts';
import { currentPageContext, type Shop } from './page-context.ts';
import { parseSearch, stringifySearch } from './search.ts';
import { ErrorPage } from './shell/problem-page.tsx';
import { RoutedNavigation } from './shell/routed-navigation.tsx';

/** Creates a router and a query client. The server creates them for each request, the browser only once. */
export function getRouter() {
  const { fetch, origin, sandbox, collectsTax, nonce } = currentPageContext();
  const queryClient = createQueryClient(fetch);
  const context = {
    queryClient,
    shop: { origin, sandbox, collectsTax },
    day: import.meta.env.SSR ? toShopDay(Date.now()) : '',
  };
  const router = createRouter({
    routeTree,
    context,
    ...(nonce !== undefined && { ssr: { nonce } }),
    parseSearch,
    stringifySearch,
    scrollRestoration: keepScrollPosition(),
    scrollRestorationBehavior: 'instant',
    // After this time the skeleton of the next page appears.
    defaultPendingMs: 300,
    // No minimum time for the skeleton: it shows data as soon as the data arrives, and clicks on it would be lost when
    // the page replaces it.
    defaultPendingMinMs: 0,
    defaultErrorComponent: ({ error }) => <ErrorPage error={error} onRetry={() => void router.invalidate()} />,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    InnerWrap: RoutedNavigation,
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    // Pass the server's query data, shop and day to the browser before any route reads them.
    dehydrate: () => ({ shop: context.shop, day: context.day }),
    hydrate: ({ shop, day }: { shop: Shop; day: string }) => {
      context.shop = shop;
      context.day = day;
      loadPageDataIntoCache(queryClient);
    },
  });
  router.options.serializationAdapters = [apiErrors];
  return router;
}

/** Sends an ApiError of the server's render to the browser as an ApiError, with its message and request id. */
const apiErrors = createSerializationAdapter({
  key: 'ApiError',
  test: (value): value is ApiError => value instanceof ApiError,
  toSerializable: ({ status, text }) => ({ status, text }),
  fromSerializable: ({ status, text }) => new ApiError(status, text),
});

/**
 * Back and forward restore the scroll position, other navigation scrolls to the top. The first render in the browser
 * does not scroll: the browser has already scrolled the server's page, and the visitor may have scrolled since.
 */
function keepScrollPosition() {
  let hasStarted = false;
  return () => {
    const mayScroll = import.meta.env.SSR || hasStarted || scrollY === 0;
    hasStarted = true;
    return mayScroll;
  };
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof getRouter>;
  }
  interface StaticDataRouteOption {
    /** The page has no storefront header, banner and footer (the admin panel). */
    bare?: boolean;
  }
}
