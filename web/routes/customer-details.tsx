import { createFileRoute } from '@tanstack/react-router';
import { deliveryEstimateQuery, orderSummaryQuery } from '../account/order-queries.ts';
import { cartParams } from '../checkout/cart-params.ts';
import { createCart, createCartSearch } from '../data/cart.ts';
import { CustomerDetailsPage } from '../checkout/customer-details-page.tsx';
import { useNewestCart } from '../checkout/newest-cart.ts';
import { productsQuery, stockQuery } from '../data/queries.ts';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams } from '../search-params.ts';

export const Route = createFileRoute('/customer-details')({
  validateSearch: defineSearchParams(cartParams),
  loader: ({ context: { queryClient } }) =>
    // The form is prefilled from the order summary of a signed-in customer. For other visitors the summary is empty.
    Promise.all([
      queryClient.prefetchQuery(productsQuery()),
      queryClient.prefetchQuery(orderSummaryQuery()),
      queryClient.prefetchQuery(deliveryEstimateQuery()),
      queryClient.prefetchQuery(stockQuery()),
    ]).then(() => undefined),
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Customer details',
      description: 'Step 1 of 2: who is buying, and where should we send it?',
      path: '/customer-details',
      hidden: true,
    }),
  component: CustomerDetails,
});

function CustomerDetails() {
  const { shop } = Route.useRouteContext();
  const navigate = Route.useNavigate();
  useNewestCart(
    '/customer-details',
    (newest) => void navigate({ search: createCartSearch(newest), replace: true, resetScroll: false }),
  );
  return <CustomerDetailsPage cart={createCart(Route.useSearch())} collectsTax={shop.collectsTax} />;
}
