import { createFileRoute } from '@tanstack/react-router';
import type { Cart } from '#contract/catalog.ts';
import { deliveryEstimateQuery } from '../account/order-queries.ts';
import { cartParams } from '../checkout/cart-params.ts';
import { cartOf, searchOf } from '../data/cart.ts';
import { CheckoutPage } from '../checkout/checkout-page.tsx';
import { useNewestCart } from '../checkout/newest-cart.ts';
import { productsQuery } from '../data/queries.ts';
import { pageHead } from '../ui/page-head.ts';
import { searchParams, textParam } from '../search-params.ts';

const Search = searchParams({ ...cartParams, step: textParam() });

export const Route = createFileRoute('/checkout')({
  validateSearch: Search,
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.prefetchQuery(productsQuery()), queryClient.prefetchQuery(deliveryEstimateQuery())]).then(
      () => undefined,
    ),
  head: ({ match }) =>
    pageHead(match.context, {
      title: 'Checkout',
      description: 'Step 2 of 2: review your order and pay.',
      path: '/checkout',
      hidden: true,
    }),
  component: Checkout,
});

function Checkout() {
  const { shop } = Route.useRouteContext();
  const navigate = Route.useNavigate();
  const changeCart = (next: Cart) =>
    void navigate({ search: { ...searchOf(next), step: 'payment' }, replace: true, resetScroll: false });
  useNewestCart('/checkout', changeCart);
  return (
    <CheckoutPage
      cart={cartOf(Route.useSearch())}
      origin={shop.origin}
      isSandbox={shop.sandbox}
      collectsTax={shop.collectsTax}
      onCart={changeCart}
    />
  );
}
