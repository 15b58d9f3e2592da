import { createFileRoute } from '@tanstack/react-router';
import { AddonCheckoutPage } from '../account/buy-photos/addon-checkout-page.tsx';
import { loadCustomer } from '../account/customer.ts';
import { SignedIn } from '../account/signed-in.tsx';
import { UploadSkeleton } from '../account/upload/upload-page.tsx';
import { createPageHead } from '../ui/page-head.ts';
import { numberParam, defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ device: textParam(), deviceName: textParam(), quantity: numberParam });

export const Route = createFileRoute('/addon-checkout')({
  validateSearch: Search,
  loader: async ({ context: { queryClient }, preload }) => {
    if (!preload) await loadCustomer(queryClient);
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Buy More Photos',
      description: 'More photos for a frame you own.',
      path: '/addon-checkout',
      hidden: true,
    }),
  component: AddonCheckout,
});

function AddonCheckout() {
  const { device = '', deviceName = 'your frame', quantity = 1 } = Route.useSearch();
  const { shop } = Route.useRouteContext();
  return (
    <SignedIn skeleton={<UploadSkeleton />}>
      {(customer) => (
        <AddonCheckoutPage
          key={`${device} ${quantity}`}
          customer={customer}
          deviceId={device}
          deviceName={deviceName}
          quantity={quantity}
          origin={shop.origin}
          isSandbox={shop.sandbox}
          collectsTax={shop.collectsTax}
        />
      )}
    </SignedIn>
  );
}
