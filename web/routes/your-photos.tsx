import { createFileRoute } from '@tanstack/react-router';
import { YourPhotosPage } from '../storefront/trust/your-photos-page.tsx';
import { breadcrumbs } from '../storefront/structured-data.ts';
import { paths } from '../paths.ts';
import { pageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/your-photos')({
  head: ({ match: { context } }) =>
    pageHead(context, {
      title: 'Where your photos are',
      description:
        'Where your photos are, who can see them, when they are erased, and what you decide: in plain words.',
      path: paths.yourPhotos,
      jsonLd: [breadcrumbs(context, ['Where your photos are', paths.yourPhotos])],
    }),
  component: YourPhotosPage,
});
