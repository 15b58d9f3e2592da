import { createFileRoute } from '@tanstack/react-router';
import { trialOfferQuery } from '../data/queries.ts';
import { createBreadcrumbData } from '../storefront/structured-data.ts';
import { TryPage } from '../trial/try-page.tsx';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/try')({
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(trialOfferQuery()),
  head: ({ match: { context } }) =>
    createPageHead(context, {
      title: 'Try it with your own photo',
      description:
        'Choose one photo and watch it come to life, free, no account needed. We delete it all after 24 hours.',
      path: '/try',
      picture: 'kinframe',
      jsonLd: [createBreadcrumbData(context, ['Try a photo', '/try'])],
    }),
  component: TryPage,
});
