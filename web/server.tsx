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
import { StandingAlone } from './standing-alone.tsx';
import { partsLoaded } from './ui/at-first-sign.tsx';

/** Loaders await every query a page needs, so a page is rendered whole rather than streamed. */
const renderWhole = defineHandlerCallback(async ({ router, responseHeaders }) => {
  try {
    const html =
      (await aloneHtml(router)) ??
      (await transformHtmlStringWithRouter(router, renderToString(<StartServer router={router} />)));
    const scope = getGlobalStartContext()!;
    for (const { status, error } of router.state.matches)
      if (status === 'error' && !(error instanceof ApiError)) scope.fault(error);
    scope.deliver(html);
    return new Response(null, { status: getSsrStatus(router), headers: responseHeaders });
  } finally {
    router.serverSsr?.cleanup();
  }
});

type Router = ReturnType<typeof getRouter>;

/** A public page: the router has loaded it and makes its head, the page stands in it as a root of its own. */
async function aloneHtml(router: Router): Promise<string | undefined> {
  const { matches, location } = router.state;
  const id = matches.at(-1)?.routeId;
  if (!isPublic(id) || matches.some((it) => it.status !== 'success' || it._notFound)) return;
  const { queryClient, shop, day } = router.options.context;
  const given = { page: id, shop, day };
  const page = await publicPages[id]();
  await partsLoaded();
  const html = renderToString(<PublicPage {...{ given, queryClient, page }} search={location.search} />);
  const { routes } = router.ssr!.manifest!;
  // In development the one entry of all pages asks for this one's.
  const entry = files?.entry ?? String(routes[rootRouteId]?.scripts?.[0]?.attrs?.['src']);
  router.ssr = { manifest: { routes: { [rootRouteId]: { preloads: files?.preloads[order.indexOf(id)] ?? [] } } } };
  router.options.scrollRestoration = false; // the browser's own
  const standing = { html, given, entry, nonce: router.options.ssr?.nonce };
  return `<!DOCTYPE html>${renderToString(
    <StandingAlone value={standing}>
      <StartServer router={router} />
    </StandingAlone>,
  )}`;
}

const order = Object.keys(publicPages);
const isPublic = (id: string | undefined): id is PublicPath => id !== undefined && order.includes(id);

/** Only looks addresses up: it loads and renders nothing. */
const map = createRouter({ routeTree, context: undefined! });

/** Whether some page has this path, as the router reads paths. What only the page itself can know is no matter here. */
function isPage(path: string): boolean {
  const { pathname } = getNormalizedURL(`http://map${path}`).url;
  const [, { '**': rest }, route] = map.getMatchedRoutes(pathname);
  return route !== undefined && rest === undefined;
}

export default { fetch: createStartHandler(renderWhole), isPage };
