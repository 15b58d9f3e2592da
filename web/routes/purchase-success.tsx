import { createFileRoute } from '@tanstack/react-router';
import { PurchaseSuccessPage } from '../checkout/purchase-success-page.tsx';
import { orderSummaryQuery } from '../account/order-queries.ts';
import { SessionParam } from '../checkout/session-queries.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/purchase-success')({
  validateSearch: SessionParam,
  loaderDeps: ({ search: { session } }) => ({ session }),
  loader: ({ context: { queryClient }, deps }) =>
    queryClient.fetchQuery({ ...orderSummaryQuery(deps.session), staleTime: 0 }),
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Thank you for your order',
      description: 'Your order, your photos, and what happens next.',
      path: '/purchase-success',
      hidden: true,
    }),
  component: PurchaseSuccess,
});

function PurchaseSuccess() {
  return <PurchaseSuccessPage session={Route.useSearch().session} />;
}
