import { createFileRoute } from '@tanstack/react-router';
import { AddonPaymentSuccessPage } from '../account/buy-photos/addon-payment-success-page.tsx';
import { loadCustomer } from '../account/customer.ts';
import { SignedIn } from '../account/signed-in.tsx';
import { UploadSkeleton } from '../account/upload/upload-page.tsx';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ payment_intent: textParam(255) });

export const Route = createFileRoute('/addon-payment-success')({
  validateSearch: Search,
  loader: async ({ context: { queryClient }, preload }) => {
    if (!preload) await loadCustomer(queryClient);
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Processing payment',
      description: 'We’re confirming your payment.',
      path: '/addon-payment-success',
      hidden: true,
    }),
  component: AddonPaymentSuccess,
});

function AddonPaymentSuccess() {
  const paymentIntentId = Route.useSearch().payment_intent || undefined;
  return (
    <SignedIn skeleton={<UploadSkeleton />}>
      {() => <AddonPaymentSuccessPage paymentIntentId={paymentIntentId} />}
    </SignedIn>
  );
}
