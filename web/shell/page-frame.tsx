import type { ReactNode } from 'react';
import { useSite } from '../data/site.ts';
import type { Shop } from '../page-context.ts';
import { Toaster } from '../ui/toaster.tsx';
import { ReplayEarlyClicks, PageLoadFailed } from './before-hydration.tsx';
import { PromoCodeFromLink } from './promo-code-from-link.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { NoScripts } from './no-scripts.tsx';
import { PageViews } from './page-views.tsx';
import { PromoBanner } from './promo-banner.tsx';
import { VacationNotice } from './vacation-notice.tsx';
import { SandboxRibbon } from './sandbox-ribbon.tsx';

/** Values that the server passes to a page in addition to its query data. */
export interface PageValues {
  shop: Shop;
  /**
   * The shop's day when the server rendered this page. The browser's first render uses the same day and does not
   * compute it. On a phone, the first time zone calculation takes longer than the rest of this render.
   */
  day: string;
}

interface Props {
  given: PageValues;
  /** The path that is stored with the page view. It contains no tokens. */
  path: string;
  /** Whether the page has its own header and footer. */
  bare?: boolean;
  children: ReactNode;
}

/** The parts around every page: notices, header, banner and footer. */
export function PageFrame({ given: { shop, day }, path, bare = false, children }: Props) {
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
      <PageLoadFailed />
      {shop.sandbox && <SandboxRibbon />}
      {!bare && <PromoBanner day={day} />}
      {!bare && <VacationNotice day={day} />}
      {!bare && <Header name={site.name} />}
      <main id="content" tabIndex={-1} className="min-h-[60vh] outline-none">
        {children}
      </main>
      {!bare && <Footer site={site} year={Number(day.slice(0, 4))} />}
      <PromoCodeFromLink />
      <PageViews path={path} />
      <ReplayEarlyClicks />
      <Toaster />
    </>
  );
}
