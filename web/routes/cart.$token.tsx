import { createFileRoute } from '@tanstack/react-router';
import { CartLinkPage } from '../checkout/cart-link-page.tsx';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/cart/$token')({
  head: ({ match }) => {
    const head = createPageHead(match.context, {
      title: 'Your cart',
      description: 'Opens a saved cart at checkout.',
      path: '/cart',
      hidden: true,
    });
    return { ...head, meta: [...head.meta, { name: 'referrer', content: 'no-referrer' }], links: [] };
  },
  component: CartLink,
});

function CartLink() {
  return <CartLinkPage token={Route.useParams().token} />;
}
