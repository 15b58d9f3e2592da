import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { orNotFound } from '../data/not-found.ts';
import { deliveryQuery } from '../delivery/delivery-query.ts';
import { DeliveryPage } from '../delivery/delivery-page.tsx';
import { InvalidDeliveryPage } from '../delivery/invalid-delivery-page.tsx';
import { pageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/delivery/$token')({
  /** The answer also sets the cookie that opens the videos; on the server it is passed on with the page. */
  loader: ({ context: { queryClient }, params: { token } }) =>
    queryClient.ensureQueryData(deliveryQuery(token)).then(() => undefined, orNotFound),
  head: ({ match }) => {
    const head = pageHead(match.context, {
      title: 'Your videos',
      description: 'A private page with the videos of your photos.',
      path: '/delivery',
      hidden: true,
    });
    return { ...head, meta: [...head.meta, { name: 'referrer', content: 'no-referrer' }], links: [] };
  },
  component: Delivery,
  notFoundComponent: InvalidDeliveryPage,
});

function Delivery() {
  const { token } = Route.useParams();
  return <DeliveryPage token={token} delivery={useSuspenseQuery(deliveryQuery(token)).data} />;
}
