import { createFileRoute } from '@tanstack/react-router';
import { cartParams } from '../checkout/cart-params.ts';
import { cartOf } from '../checkout/cart.ts';
import { CustomerDetailsPage } from '../checkout/customer-details-page.tsx';
import { productsQuery } from '../data/queries.ts';
import { pageHead } from '../ui/page-head.ts';
import { searchParams } from '../search-params.ts';

export const Route = createFileRoute('/customer-details')({
  validateSearch: searchParams(cartParams),
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(productsQuery()),
  head: ({ match }) =>
    pageHead(match.context, {
      title: 'Customer details',
      description: 'Step 1 of 2: who is buying, and where should we send it?',
      path: '/customer-details',
      hidden: true,
    }),
  component: CustomerDetails,
});

function CustomerDetails() {
  return <CustomerDetailsPage cart={cartOf(Route.useSearch())} />;
}
