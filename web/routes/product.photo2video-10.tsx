import { createFileRoute } from '@tanstack/react-router';
import { promoSearch } from '../checkout/cart-params.ts';
import { productsQuery, reviewsQuery, stockQuery } from '../data/queries.ts';
import { BundlePage } from '../storefront/product/bundle-page.tsx';
import { createProductHead } from '../storefront/product/product-head.ts';

export const Route = createFileRoute('/product/photo2video-10')({
  validateSearch: promoSearch,
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.prefetchQuery(productsQuery()),
      queryClient.prefetchQuery(stockQuery()),
      queryClient.prefetchQuery(reviewsQuery('photo2video-10')),
    ]),
  head: ({ match: { context } }) => createProductHead(context, 'photo2video-10'),
  component: BundlePage,
  pendingComponent: BundlePage,
});
