import { createFileRoute } from '@tanstack/react-router';
import { choiceSearch } from '../checkout/cart-params.ts';
import { productsQuery, reviewsQuery, trialOfferQuery } from '../data/queries.ts';
import { ByofPage } from '../storefront/product/byof-page.tsx';
import { createProductHead } from '../storefront/product/product-head.ts';

export const Route = createFileRoute('/product/byof')({
  validateSearch: choiceSearch,
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.prefetchQuery(productsQuery()),
      queryClient.prefetchQuery(reviewsQuery('byof')),
      queryClient.prefetchQuery(trialOfferQuery()),
    ]),
  head: ({ match: { context } }) => createProductHead(context, 'byof'),
  component: ByofPage,
  pendingComponent: ByofPage,
});
