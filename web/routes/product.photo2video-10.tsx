import { createFileRoute } from '@tanstack/react-router';
import { productsQuery } from '../data/queries.ts';
import { BundlePage } from '../storefront/product/bundle-page.tsx';
import { productHead } from '../storefront/product/product-head.ts';

export const Route = createFileRoute('/product/photo2video-10')({
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(productsQuery()),
  head: ({ match: { context } }) => productHead(context, 'photo2video-10'),
  component: BundlePage,
});
