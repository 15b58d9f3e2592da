import { createFileRoute } from '@tanstack/react-router';
import type { Cart } from '#contract/catalog.ts';
import { deliveryEstimateQuery } from '../account/order-queries.ts';
import { cartParams } from '../checkout/cart-params.ts';
import { createCart, createCartSearch } from '../data/cart.ts';
import { CheckoutPage } from '../checkout/checkout-page.tsx';
import { useNewestCart } from '../checkout/newest-cart.ts';
import { productsQuery } from '../data/queries.ts';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ ...cartParams, step: textParam() });

export const Route = createFileRoute('/checkout')({
  validateSearch: Search,
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.prefetchQuery(productsQuery()), queryClient.prefetchQuery(deliveryEstimateQuery())]).then(
      () => undefined,
    ),
  head: ({ match }) =>
    createPageHead(match.context, {
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
    void navigate({ search: { ...createCartSearch(next), step: 'payment' }, replace: true, resetScroll: false });
  useNewestCart('/checkout', changeCart);
  return (
    <CheckoutPage
      cart={createCart(Route.useSearch())}
      origin={shop.origin}
      isSandbox={shop.sandbox}
      collectsTax={shop.collectsTax}
      onCart={changeCart}
    />
  );
}
