import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { PaymentSuccessPage } from '../checkout/payment-success-page.tsx';
import { pageHead } from '../ui/page-head.ts';

const Search = z.object({ payment_intent: z.catch(z.optional(z.string().check(z.maxLength(255))), undefined) });

export const Route = createFileRoute('/payment-success')({
  validateSearch: Search,
  head: ({ match }) =>
    pageHead(match.context, {
      title: 'Processing payment',
      description: 'We are confirming your payment.',
      path: '/payment-success',
      hidden: true,
    }),
  component: PaymentSuccess,
});

function PaymentSuccess() {
  return <PaymentSuccessPage paymentIntentId={Route.useSearch().payment_intent || undefined} />;
}
