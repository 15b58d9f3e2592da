import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { loadCustomer } from '../account/customer.ts';
import { orderQuery } from '../account/order-queries.ts';
import { OrderPage, UnknownOrder } from '../account/orders/order-page.tsx';
import { returnsQuery } from '../account/orders/returns-card.tsx';
import { SessionParam } from '../checkout/session-queries.ts';
import { rethrowAsNotFound } from '../data/not-found.ts';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/orders/$orderNumber')({
  validateSearch: SessionParam,
  loaderDeps: ({ search: { session } }) => ({ session }),
  loader: ({ context: { queryClient }, params, deps }) =>
    queryClient.fetchQuery({ ...orderQuery(params.orderNumber, deps.session), staleTime: 0 }).then(
      async ({ hasReturns, orderNumber }) => {
        if (hasReturns && deps.session === undefined)
          await queryClient.prefetchQuery({ ...returnsQuery(orderNumber), staleTime: 0 });
      },
      async (error) => {
        await loadCustomer(queryClient); // the page asks a signed-out visitor to sign in
        rethrowAsNotFound(error);
      },
    ),
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Your order',
      description: 'What you bought, its status, and your receipt.',
      path: paths.orders,
      hidden: true,
    }),
  component: Order,
  notFoundComponent: UnknownOrder,
});

function Order() {
  const { orderNumber } = Route.useParams();
  const { session } = Route.useSearch();
  const { site } = Route.useRouteContext();
  const { data: order } = useSuspenseQuery(orderQuery(orderNumber, session));
  return <OrderPage order={order} session={session} shopName={site.name} supportEmail={site.contactEmail} />;
}
