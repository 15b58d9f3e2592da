import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { rethrowAsNotFound } from '../data/not-found.ts';
import { productsQuery } from '../data/queries.ts';
import { InvalidReviewPage } from '../review/invalid-review-page.tsx';
import { reviewDeskQuery, ReviewPage } from '../review/review-page.tsx';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/review/$token')({
  /** The API's response also sets the cookie that gives access to the videos. The server sends it with the page. */
  loader: async ({ context: { queryClient }, params: { token } }) => {
    await queryClient.ensureQueryData(reviewDeskQuery(token)).catch(rethrowAsNotFound);
    await queryClient.prefetchQuery(productsQuery());
  },
  head: ({ match }) => {
    const head = createPageHead(match.context, {
      title: 'Your review',
      description: 'A private page to review what you bought.',
      path: '/review',
      hidden: true,
    });
    return { ...head, meta: [...head.meta, { name: 'referrer', content: 'no-referrer' }], links: [] };
  },
  component: Review,
  notFoundComponent: InvalidReviewPage,
});

function Review() {
  const { token } = Route.useParams();
  return <ReviewPage token={token} desk={useSuspenseQuery(reviewDeskQuery(token)).data} />;
}
