import { createFileRoute } from '@tanstack/react-router';
import { promoParam } from '../checkout/cart-params.ts';
import {
  faqsQuery,
  featuresQuery,
  galleryQuery,
  heroQuery,
  productsQuery,
  stockQuery,
  howItWorksStepsQuery,
  testimonialsQuery,
  trialOfferQuery,
} from '../data/queries.ts';
import { chooseHeroStillPicture } from '../storefront/home/hero-picture.ts';
import { HomePage } from '../storefront/home/home-page.tsx';
import { createOrganizationData } from '../storefront/structured-data.ts';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ ...promoParam, 'select-product': textParam() });

export const Route = createFileRoute('/')({
  validateSearch: Search,
  // prefetchQuery does not throw: if a section cannot be loaded, the page opens without it or with its built-in
  // content.
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.prefetchQuery(heroQuery()),
      queryClient.prefetchQuery(featuresQuery()),
      queryClient.prefetchQuery(howItWorksStepsQuery()),
      queryClient.prefetchQuery(productsQuery()),
      queryClient.prefetchQuery(stockQuery()),
      queryClient.prefetchQuery(galleryQuery()),
      queryClient.prefetchQuery(faqsQuery()),
      queryClient.prefetchQuery(testimonialsQuery()),
      queryClient.prefetchQuery(trialOfferQuery()),
    ]).then(() => undefined),
  head: ({ match: { context } }) =>
    createPageHead(context, {
      title: 'Family photos, gently brought to life',
      description: context.site.description,
      path: '/',
      leadPicture: chooseHeroStillPicture(context.queryClient.getQueryData(heroQuery().queryKey)?.backgroundVideo),
      picture: 'home',
      pictureAlt: 'A Kinframe picture frame on an oak sideboard in morning light.',
      jsonLd: [createOrganizationData(context)],
    }),
  component: HomePage,
});
