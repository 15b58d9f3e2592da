import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  HeadContent,
  Outlet,
  Scripts,
  useMatches,
  useRouter,
} from '@tanstack/react-router';
import { type ReactNode, use } from 'react';
import { builtInSite } from '#contract/built-in-site.ts';
import { PageData } from '../data/page-data.tsx';
import { promosQuery, shippingQuery, siteQuery } from '../data/queries.ts';
import figtree from '../fonts/figtree.woff2?url';
import fraunces from '../fonts/fraunces-medium.woff2?url';
import { BeforeHydration } from '../shell/before-hydration.tsx';
import { PageFrame, type PageValues } from '../shell/page-frame.tsx';
import { NotFoundPage } from '../shell/problem-page.tsx';
import { PublicContainer, PublicScript, StandalonePageContext } from '../standalone-page.tsx';
import { createPageHead } from '../ui/page-head.ts';
import styles from '../styles.css?url';

interface RootContext extends PageValues {
  queryClient: QueryClient;
}

const createFontPreload = (href: string) => ({
  rel: 'preload',
  as: 'font',
  type: 'font/woff2',
  href,
  crossOrigin: 'anonymous' as const,
});

export const Route = createRootRouteWithContext<RootContext>()({
  /** Every page can use the shop's settings. If they cannot be loaded, the page opens with the built-in settings. */
  beforeLoad: async ({ context: { queryClient } }) => {
    const [site] = await Promise.all([
      queryClient.ensureQueryData(siteQuery()).catch(() => builtInSite),
      queryClient.ensureQueryData(promosQuery()).catch(() => []),
      queryClient.ensureQueryData(shippingQuery()).catch(() => undefined),
    ]);
    return { site };
  },
  head: ({ match: { context }, matches }) => {
    const site = context.site ?? builtInSite;
    // Pages set their own title. If only this root route matches, there is no page for the address.
    const page =
      matches.length === 1 ? createMissingPageHead({ ...context, site }) : { meta: [{ title: site.name }], links: [] };
    return {
      meta: [
        { charSet: 'utf-8' },
        { name: 'viewport', content: 'width=device-width, initial-scale=1' },
        { name: 'theme-color', content: '#faf6ef' },
        ...page.meta,
      ],
      links: [
        createFontPreload(fraunces),
        createFontPreload(figtree),
        { rel: 'stylesheet', href: styles },
        { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
        { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
        { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
        { rel: 'manifest', href: '/site.webmanifest' },
        ...page.links,
      ],
    };
  },
  shellComponent: Document,
  component: Page,
  notFoundComponent: NotFoundPage,
});

/** The head of the 404 page. It is the same for every missing page and does not contain the requested address. */
const createMissingPageHead = (context: Parameters<typeof createPageHead>[0]) =>
  createPageHead(context, {
    title: 'Page not found',
    description: 'There’s no page at this link. You can go to the home page or contact support.',
    path: '/404',
    hidden: true,
  });

function Document({ children }: { children: ReactNode }) {
  const { nonce } = useRouter().options.ssr ?? {};
  const isStandalonePage = use(StandalonePageContext) !== undefined;
  return (
    <html lang="en">
      <head>
        <BeforeHydration nonce={nonce} />
        <HeadContent />
      </head>
      <body>
        {isStandalonePage ? <PublicContainer /> : children}
        <PageData />
        {isStandalonePage ? <PublicScript /> : <Scripts />}
      </body>
    </html>
  );
}

function Page() {
  const { shop, day } = Route.useRouteContext();
  const isBarePage = useMatches({ select: (matches) => matches.some((it) => it.staticData.bare) });
  // This path is stored with the page view. Do not report path parameters that give access, such as the token of a
  // delivery link.
  const path = useMatches({
    select: (matches) => {
      const lastMatch = matches.at(-1);
      return lastMatch && 'token' in lastMatch.params ? lastMatch.fullPath : (lastMatch?.pathname ?? '/');
    },
  });
  return (
    <PageFrame given={{ shop, day }} path={path} bare={isBarePage}>
      <Outlet />
    </PageFrame>
  );
}
