import { createFileRoute } from '@tanstack/react-router';
import { choiceSearch } from '../checkout/cart-params.ts';
import { productsQuery, reviewsQuery, stockQuery, trialOfferQuery } from '../data/queries.ts';
import { KinframePage } from '../storefront/product/kinframe-page.tsx';
import { createProductHead } from '../storefront/product/product-head.ts';

export const Route = createFileRoute('/product/kinframe')({
  validateSearch: choiceSearch,
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.prefetchQuery(productsQuery()),
      queryClient.prefetchQuery(reviewsQuery('kinframe')),
      queryClient.prefetchQuery(stockQuery()),
      queryClient.prefetchQuery(trialOfferQuery()),
    ]),
  head: ({ match: { context } }) => createProductHead(context, 'kinframe'),
  component: KinframePage,
  pendingComponent: KinframePage,
});
