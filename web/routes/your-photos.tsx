import { createFileRoute } from '@tanstack/react-router';
import { trialOfferQuery } from '../data/queries.ts';
import { YourPhotosPage } from '../storefront/trust/your-photos-page.tsx';
import { createBreadcrumbData } from '../storefront/structured-data.ts';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/your-photos')({
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(trialOfferQuery()),
  head: ({ match: { context } }) =>
    createPageHead(context, {
      title: 'Your photos and privacy',
      description:
        'Where we keep your photos, who can see them, when we delete them, and what you can decide, in plain words.',
      path: paths.yourPhotos,
      jsonLd: [createBreadcrumbData(context, ['Your photos and privacy', paths.yourPhotos])],
    }),
  component: YourPhotosPage,
});
