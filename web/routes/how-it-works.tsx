import { createFileRoute } from '@tanstack/react-router';
import { howItWorksStepsQuery } from '../data/queries.ts';
import { HowItWorksPage } from '../storefront/pages/how-it-works-page.tsx';
import { createBreadcrumbData } from '../storefront/structured-data.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/how-it-works')({
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(howItWorksStepsQuery()),
  head: ({ match: { context } }) =>
    createPageHead(context, {
      title: 'How it works',
      description:
        'How your photos come to life as short videos: order, upload, and watch them on your frame within 24-72 hours.',
      path: '/how-it-works',
      picture: 'kinframe',
      jsonLd: [createBreadcrumbData(context, ['How it works', '/how-it-works'])],
    }),
  component: HowItWorksPage,
});
