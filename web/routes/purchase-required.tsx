import { createFileRoute } from '@tanstack/react-router';
import { PurchaseRequiredPage } from '../account/before-upload/purchase-required-page.tsx';
import { paths } from '../paths.ts';
import { pageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/purchase-required')({
  head: ({ match }) =>
    pageHead(match.context, {
      title: 'Choose a frame',
      description: 'Choose the frame for your family videos.',
      path: paths.purchaseRequired,
      hidden: true,
    }),
  component: PurchaseRequiredPage,
});
