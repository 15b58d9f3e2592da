import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, HeadContent, Outlet, Scripts, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { builtInSite } from '#contract/built-in-site.ts';
import { yearOf } from '#contract/calendar.ts';
import { PageData } from '../data/page-data.tsx';
import { promosQuery, siteQuery } from '../data/queries.ts';
import figtree from '../fonts/figtree.woff2?url';
import fraunces from '../fonts/fraunces-medium.woff2?url';
import type { Shop } from '../scope.ts';
import { CodeFromLink } from '../shell/code-from-link.tsx';
import { BeforeAwake, NotWhole } from '../shell/before-awake.tsx';
import { Footer } from '../shell/footer.tsx';
import { Header } from '../shell/header.tsx';
import { KeptPage } from '../shell/kept-page.tsx';
import { NoScripts } from '../shell/no-scripts.tsx';
import { PageViews } from '../shell/page-views.tsx';
import { NotFoundPage } from '../shell/problem-page.tsx';
import { PromoBanner } from '../shell/promo-banner.tsx';
import { SandboxRibbon } from '../shell/sandbox-ribbon.tsx';
import styles from '../styles.css?url';
import { Toaster } from '../ui/toaster.tsx';

interface RootContext {
  queryClient: QueryClient;
  shop: Shop;
  /** When the server made this page, so that the browser's first render agrees with it. */
  renderedAt: number;
}

const font = (href: string) => ({
  rel: 'preload',
  as: 'font',
  type: 'font/woff2',
  href,
  crossOrigin: 'anonymous' as const,
});

export const Route = createRootRouteWithContext<RootContext>()({
  /** Every page may use the shop's settings; without them it still opens, with the built-in ones. */
  beforeLoad: async ({ context: { queryClient } }) => {
    const [site] = await Promise.all([
      queryClient.ensureQueryData(siteQuery()).catch(() => builtInSite),
      queryClient.ensureQueryData(promosQuery()).catch(() => []),
    ]);
    return { site };
  },
  head: ({ match: { context }, matches }) => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { name: 'theme-color', content: '#faf6ef' },
      {
        title: titleOf(
          context.site ?? builtInSite,
          matches.some((it) => it._notFound),
        ),
      },
    ],
    links: [
      font(fraunces),
      font(figtree),
      { rel: 'stylesheet', href: styles },
      { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
      { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
      { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
      { rel: 'manifest', href: '/site.webmanifest' },
    ],
  }),
  shellComponent: Document,
  component: Page,
  notFoundComponent: NotFoundPage,
});

/** Pages name themselves; what nobody names is a page that is not there. */
const titleOf = ({ name }: { name: string }, isMissing: boolean) => (isMissing ? `Page not found | ${name}` : name);

function Document({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <BeforeAwake />
        <HeadContent />
      </head>
      <body>
        {children}
        <PageData />
        <Scripts />
      </body>
    </html>
  );
}

function Page() {
  const { shop, site, renderedAt } = Route.useRouteContext();
  const bare = useMatches({ select: (matches) => matches.some((it) => it.staticData.bare) });
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-24 rounded-full bg-ink px-5 py-3 font-semibold text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <NoScripts />
      <NotWhole />
      {shop.sandbox && <SandboxRibbon />}
      {!bare && <PromoBanner renderedAt={renderedAt} />}
      {!bare && <Header name={site.name} />}
      <main id="content" tabIndex={-1} className="min-h-[60vh] outline-none">
        <Outlet />
      </main>
      {!bare && <Footer site={site} year={yearOf(renderedAt)} />}
      <CodeFromLink />
      <PageViews />
      <KeptPage />
      <Toaster />
    </>
  );
}
