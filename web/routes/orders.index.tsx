import { createFileRoute } from '@tanstack/react-router';
import { loadCustomer } from '../account/customer.ts';
import { orderSummaryQuery } from '../account/order-queries.ts';
import { OrdersPage, OrdersSkeleton } from '../account/orders/orders-page.tsx';
import { SignedIn } from '../account/signed-in.tsx';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/orders/')({
  loader: async ({ context: { queryClient }, preload }) => {
    if (preload || !(await loadCustomer(queryClient))) return;
    await queryClient.prefetchQuery({ ...orderSummaryQuery(), staleTime: 0 });
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Your orders',
      description: 'What you bought, and the status of each order.',
      path: paths.orders,
      hidden: true,
    }),
  component: () => <SignedIn skeleton={<OrdersSkeleton />}>{() => <OrdersPage />}</SignedIn>,
});
