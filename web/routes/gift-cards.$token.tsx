import { createFileRoute } from '@tanstack/react-router';
import { BoughtGiftCardPage } from '../gift-cards/bought-gift-card-page.tsx';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/gift-cards/$token')({
  head: ({ match }) => {
    const head = createPageHead(match.context, {
      title: 'Your gift card',
      description: 'The gift card that you bought.',
      path: '/gift-cards',
      hidden: true,
    });
    return { ...head, meta: [...head.meta, { name: 'referrer', content: 'no-referrer' }], links: [] };
  },
  component: BoughtGiftCard,
});

function BoughtGiftCard() {
  return <BoughtGiftCardPage token={Route.useParams().token} />;
}
