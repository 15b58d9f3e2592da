import { createFileRoute } from '@tanstack/react-router';
import { PurchaseRequiredPage } from '../account/before-upload/purchase-required-page.tsx';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/purchase-required')({
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Choose a frame',
      description: 'Choose the frame for your family videos.',
      path: paths.purchaseRequired,
      hidden: true,
    }),
  component: PurchaseRequiredPage,
});
