import { createFileRoute } from '@tanstack/react-router';
import { GiftCardBalancePage } from '../gift-cards/gift-card-balance-page.tsx';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/gift-cards/balance')({
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Gift card balance',
      description: 'Check the balance of your gift card.',
      path: '/gift-cards/balance',
    }),
  component: GiftCardBalancePage,
});
