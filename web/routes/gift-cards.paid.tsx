import { createFileRoute } from '@tanstack/react-router';
import { GiftCardPaidPage } from '../gift-cards/gift-card-paid-page.tsx';
import { defineSearchParams, textParam } from '../search-params.ts';
import { createPageHead } from '../ui/page-head.ts';

const Search = defineSearchParams({ payment_intent: textParam(255) });

export const Route = createFileRoute('/gift-cards/paid')({
  validateSearch: Search,
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Processing payment',
      description: 'We’re confirming your payment.',
      path: '/gift-cards/paid',
      hidden: true,
    }),
  component: GiftCardPaid,
});

function GiftCardPaid() {
  return <GiftCardPaidPage paymentIntentId={Route.useSearch().payment_intent || undefined} />;
}
