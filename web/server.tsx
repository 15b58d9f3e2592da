import { createRouter, rootRouteId } from '@tanstack/react-router';
import {
  defineHandlerCallback,
  getNormalizedURL,
  getSsrStatus,
  transformHtmlStringWithRouter,
} from '@tanstack/react-router/ssr/server';
import { getGlobalStartContext } from '@tanstack/react-start';
import { createStartHandler, StartServer } from '@tanstack/react-start/server';
import { renderToString } from 'react-dom/server';
import files from 'virtual:public-files';
import { ApiError } from './data/api.ts';
import { PublicPage } from './public-page.tsx';
import { publicPages, type PublicPath } from './public-pages.ts';
import { routeTree } from './routeTree.gen.ts';
import type { getRouter } from './router.tsx';
import { StandalonePageContext } from './standalone-page.tsx';
import { waitForLazyParts } from './ui/load-on-first-interaction.tsx';

/** Renders a page at once, without streaming: loaders have awaited every query that the page needs. */
const renderWhole = defineHandlerCallback(async ({ router, responseHeaders }) => {
  try {
    const html =
      (await renderStandaloneHtml(router)) ??
      (await transformHtmlStringWithRouter(router, renderToString(<StartServer router={router} />)));
    const startContext = getGlobalStartContext()!;
    for (const { status, error } of router.state.matches)
      if (status === 'error' && !(error instanceof ApiError)) startContext.fault(error);
    startContext.deliver(html);
    return new Response(null, { status: getSsrStatus(router), headers: responseHeaders });
  } finally {
    router.serverSsr?.cleanup();
  }
});

type Router = ReturnType<typeof getRouter>;

/**
 * The HTML of a public page. The router has loaded the page and renders the document around it. The page itself is a
 * separate React root, so that the browser can hydrate it without the router. Returns undefined for other pages.
 */
async function renderStandaloneHtml(router: Router): Promise<string | undefined> {
  const { matches, location } = router.state;
  const id = matches.at(-1)?.routeId;
  if (!isPublicPageId(id) || matches.some((it) => it.status !== 'success' || it._notFound)) return;
  const { queryClient, shop, day } = router.options.context;
  const pageValues = { page: id, shop, day };
  const page = await publicPages[id]();
  await waitForLazyParts();
  const html = renderToString(<PublicPage {...{ given: pageValues, queryClient, page }} search={location.search} />);
  const { routes } = router.ssr!.manifest!;
  // In development all pages have one entry, which imports web/public.tsx.
  const entryUrl = files?.entry ?? String(routes[rootRouteId]?.scripts?.[0]?.attrs?.['src']);
  router.ssr = {
    manifest: { routes: { [rootRouteId]: { preloads: files?.preloads[publicPageIds.indexOf(id)] ?? [] } } },
  };
  router.options.scrollRestoration = false; // the browser restores the scroll position itself
  const standalonePageContext = { html, given: pageValues, entry: entryUrl, nonce: router.options.ssr?.nonce };
  return `<!DOCTYPE html>${renderToString(
    <StandalonePageContext value={standalonePageContext}>
      <StartServer router={router} />
    </StandalonePageContext>,
  )}`;
}

const publicPageIds = Object.keys(publicPages);
const isPublicPageId = (id: string | undefined): id is PublicPath => id !== undefined && publicPageIds.includes(id);

/** A router that only matches addresses. It loads and renders nothing. */
const routesMap = createRouter({ routeTree, context: undefined! });

/** Whether a route matches this path. Does not check whether the order or link in the path exists. */
function isPagePath(path: string): boolean {
  const { pathname } = getNormalizedURL(`http://map${path}`).url;
  const [, { '**': rest }, route] = routesMap.getMatchedRoutes(pathname);
  return route !== undefined && rest === undefined;
}

export default { fetch: createStartHandler(renderWhole), isPage: isPagePath };
