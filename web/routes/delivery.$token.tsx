import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { isRefusal } from '../data/error-text.ts';
import { rethrowAsNotFound } from '../data/not-found.ts';
import { deliveryQuery } from '../delivery/delivery-query.ts';
import { DeliveryPage } from '../delivery/delivery-page.tsx';
import { InvalidDeliveryPage, WithdrawnDeliveryPage } from '../delivery/invalid-delivery-page.tsx';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/delivery/$token')({
  /** The API's response also sets the cookie that gives access to the videos. The server sends it with the page. */
  loader: ({ context: { queryClient }, params: { token } }): Promise<'open' | 'withdrawn'> =>
    queryClient.ensureQueryData(deliveryQuery(token)).then(
      () => 'open',
      (error: unknown) => (isRefusal(error, 'delivery-withdrawn') ? 'withdrawn' : rethrowAsNotFound(error)),
    ),
  head: ({ match }) => {
    const head = createPageHead(match.context, {
      title: 'Your videos',
      description: 'A private page with the videos made from your photos.',
      path: '/delivery',
      hidden: true,
    });
    return { ...head, meta: [...head.meta, { name: 'referrer', content: 'no-referrer' }], links: [] };
  },
  component: Delivery,
  notFoundComponent: InvalidDeliveryPage,
});

function Delivery() {
  return Route.useLoaderData() === 'open' ? <OpenDelivery /> : <WithdrawnDeliveryPage />;
}

function OpenDelivery() {
  const { token } = Route.useParams();
  return <DeliveryPage token={token} delivery={useSuspenseQuery(deliveryQuery(token)).data} />;
}
