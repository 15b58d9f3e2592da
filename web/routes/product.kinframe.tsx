import { createFileRoute } from '@tanstack/react-router';
import { productsQuery } from '../data/queries.ts';
import { KinframePage } from '../storefront/product/kinframe-page.tsx';
import { productHead } from '../storefront/product/product-head.ts';

export const Route = createFileRoute('/product/kinframe')({
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(productsQuery()),
  head: ({ match: { context } }) => productHead(context, 'kinframe'),
  component: KinframePage,
});
