import { createFileRoute } from '@tanstack/react-router';
import { GiftCardsPage } from '../gift-cards/gift-cards-page.tsx';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/gift-cards/')({
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Gift cards',
      description:
        'Give a Kinframe or an amount from $25 to $500, by email on the day you choose or as a card to print.',
      path: '/gift-cards',
    }),
  component: GiftCards,
});

function GiftCards() {
  const { shop, day } = Route.useRouteContext();
  return <GiftCardsPage origin={shop.origin} isSandbox={shop.sandbox} day={day} />;
}
