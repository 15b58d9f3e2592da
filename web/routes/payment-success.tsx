import { createFileRoute } from '@tanstack/react-router';
import { PaymentSuccessPage } from '../checkout/payment-success-page.tsx';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ payment_intent: textParam(255) });

export const Route = createFileRoute('/payment-success')({
  validateSearch: Search,
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Processing payment',
      description: 'We’re confirming your payment.',
      path: '/payment-success',
      hidden: true,
    }),
  component: PaymentSuccess,
});

function PaymentSuccess() {
  return <PaymentSuccessPage paymentIntentId={Route.useSearch().payment_intent || undefined} />;
}
