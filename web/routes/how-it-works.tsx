import { createFileRoute } from '@tanstack/react-router';
import { stepsQuery } from '../data/queries.ts';
import { HowItWorksPage } from '../storefront/pages/how-it-works-page.tsx';
import { breadcrumbs } from '../storefront/structured-data.ts';
import { pageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/how-it-works')({
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(stepsQuery()),
  head: ({ match: { context } }) =>
    pageHead(context, {
      title: 'How it works',
      description:
        'How your photos become short living videos: order, upload, and watch them on your frame within 24-72 hours.',
      path: '/how-it-works',
      picture: 'kinframe',
      jsonLd: [breadcrumbs(context, ['How it works', '/how-it-works'])],
    }),
  component: HowItWorksPage,
});
