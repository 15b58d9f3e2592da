import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { toShopDay, toShopYear } from '#contract/calendar.ts';
import { kinframe } from '#contract/catalog.ts';
import type { Content } from '#contract/content.ts';
import { withFrameFacts } from '#contract/frame-facts.ts';
import { isPromotionRunning } from '#contract/promotion-days.ts';
import {
  aboutQuery,
  featuresQuery,
  heroQuery,
  productsQuery,
  promosQuery,
  siteQuery,
  howItWorksStepsQuery,
} from '../../data/queries.ts';
import { Footer } from '../../shell/footer.tsx';
import { Header } from '../../shell/header.tsx';
import { PromoBanner } from '../../shell/promo-banner.tsx';
import { Features } from '../../storefront/home/features.tsx';
import { Hero } from '../../storefront/home/hero.tsx';
import { HowItWorksSteps } from '../../storefront/home/steps.tsx';
import { SpecsGrid } from '../../storefront/product/product-parts.tsx';
import { AboutPage } from '../../storefront/pages/about-page.tsx';
import { PagePart, Preview } from './preview.tsx';

const heroKey = heroQuery().queryKey;
const featuresKey = featuresQuery().queryKey;
const stepsKey = howItWorksStepsQuery().queryKey;
const promosKey = promosQuery().queryKey;
const siteKey = siteQuery().queryKey;
const aboutKey = aboutQuery().queryKey;

export const HeroPreview = ({ content }: { content: FieldValues }) => (
  <Preview>
    <PagePart queryKey={heroKey} content={content}>
      <Hero onChoose={() => {}} />
    </PagePart>
  </Preview>
);

/** The specifications of the frame, as on its product page. */
export function FramePreview({ content }: { content: FieldValues }) {
  const { data = [] } = useQuery(productsQuery());
  const product = data.find((it) => it.id === kinframe);
  const shownProduct = product && withFrameFacts(product, content as Content<'frame'>);
  return (
    <Preview>
      {shownProduct && (
        <div className="p-5">
          <SpecsGrid specs={shownProduct.specs} />
          <p className="mt-5">
            <strong className="font-semibold">What's Included: </strong>
            <span className="text-muted">{shownProduct.included}</span>
          </p>
        </div>
      )}
    </Preview>
  );
}

export const FeaturesPreview = ({ content }: { content: FieldValues[] }) => (
  <Preview>
    <PagePart queryKey={featuresKey} content={content}>
      <Features />
    </PagePart>
  </Preview>
);

export const StepsPreview = ({ content }: { content: FieldValues[] }) => (
  <Preview>
    <PagePart queryKey={stepsKey} content={content.map((it, at) => ({ ...it, number: at + 1 }))}>
      <div className="wrap band">
        <HowItWorksSteps />
      </div>
    </PagePart>
  </Preview>
);

/** The site settings: header and footer of every page, and how a search engine may show the home page. */
export function SitePreview({ content }: { content: FieldValues }) {
  const [year] = useState(() => toShopYear(Date.now()));
  const site = content as Content<'site'>;
  return (
    <Preview>
      <PagePart queryKey={siteKey} content={content}>
        <Header name={site.name} />
        <p className="wrap py-16 text-center text-muted">The page</p>
        <Footer site={site} year={year} />
      </PagePart>
      <p className="mt-5 mb-2 text-sm text-muted">How search engines may show it</p>
      <div className="rounded-md border border-hair bg-card p-4 wrap-anywhere">
        <p className="text-lg text-accent-deep">{site.name}</p>
        <p className="mt-1 text-[0.9375rem] text-muted">{site.description}</p>
      </div>
    </Preview>
  );
}

/** Shows today's banner, if a promotion runs today. */
export function PromosPreview({ content }: { content: FieldValues[] }) {
  const [day] = useState(() => toShopDay(Date.now()));
  const isAnnounced = (content as Content<'promos'>).some((it) => isPromotionRunning(it, day));
  return (
    <Preview>
      {isAnnounced ? (
        <PagePart queryKey={promosKey} content={content}>
          <PromoBanner day={day} />
        </PagePart>
      ) : (
        <p className="text-muted">No promotion is running today.</p>
      )}
    </Preview>
  );
}

/** The whole about page, with the unsaved version of one section. */
export function AboutPreview({ content }: { content: FieldValues }) {
  const { data = [] } = useQuery(aboutQuery());
  return (
    <Preview>
      <PagePart queryKey={aboutKey} content={[...data.filter((it) => it.section !== content['section']), content]}>
        <AboutPage />
      </PagePart>
    </Preview>
  );
}
