import type { ReactNode } from 'react';
import { useSite } from '../data/site.ts';
import type { Shop } from '../scope.ts';
import { Toaster } from '../ui/toaster.tsx';
import { EarlyClicks, NotWhole } from './before-awake.tsx';
import { CodeFromLink } from './code-from-link.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { NoScripts } from './no-scripts.tsx';
import { PageViews } from './page-views.tsx';
import { PromoBanner } from './promo-banner.tsx';
import { SandboxRibbon } from './sandbox-ribbon.tsx';

/** What the server has told a page beside its data. */
export interface Given {
  shop: Shop;
  /**
   * The shop's day when the server made this page, so that the browser's first render agrees with it and need not open a
   * calendar: its first costs a phone more than the rest of the frame.
   */
  day: string;
}

interface Props {
  given: Given;
  /** The path to count. */
  path: string;
  /** The page brings its own header and footer. */
  bare?: boolean;
  children: ReactNode;
}

/** What surrounds every page. */
export function Frame({ given: { shop, day }, path, bare = false, children }: Props) {
  const site = useSite();
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
      {!bare && <PromoBanner day={day} />}
      {!bare && <Header name={site.name} />}
      <main id="content" tabIndex={-1} className="min-h-[60vh] outline-none">
        {children}
      </main>
      {!bare && <Footer site={site} year={Number(day.slice(0, 4))} />}
      <CodeFromLink />
      <PageViews path={path} />
      <EarlyClicks />
      <Toaster />
    </>
  );
}
