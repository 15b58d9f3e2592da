import { createRouter } from '@tanstack/react-router';
import {
  defineHandlerCallback,
  getNormalizedURL,
  getSsrStatus,
  transformHtmlStringWithRouter,
} from '@tanstack/react-router/ssr/server';
import { getGlobalStartContext } from '@tanstack/react-start';
import { createStartHandler, StartServer } from '@tanstack/react-start/server';
import { renderToString } from 'react-dom/server';
import { routeTree } from './routeTree.gen.ts';

/** Loaders await every query a page needs, so a page is rendered whole rather than streamed. */
const renderWhole = defineHandlerCallback(async ({ router, responseHeaders }) => {
  try {
    const html = await transformHtmlStringWithRouter(router, renderToString(<StartServer router={router} />));
    getGlobalStartContext()!.deliver(html);
    return new Response(null, { status: getSsrStatus(router), headers: responseHeaders });
  } finally {
    router.serverSsr?.cleanup();
  }
});

/** Only looks addresses up: it loads and renders nothing. */
const map = createRouter({ routeTree, context: undefined! });

/** Whether some page has this path, as the router reads paths. What only the page itself can know is no matter here. */
function isPage(path: string): boolean {
  const { pathname } = getNormalizedURL(`http://map${path}`).url;
  const [, { '**': rest }, route] = map.getMatchedRoutes(pathname);
  return route !== undefined && rest === undefined;
}

export default { fetch: createStartHandler(renderWhole), isPage };
