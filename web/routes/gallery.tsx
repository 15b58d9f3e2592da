import { createFileRoute } from '@tanstack/react-router';
import { galleryQuery } from '../data/queries.ts';
import { GalleryPage } from '../storefront/gallery/gallery-page.tsx';
import { createBreadcrumbData } from '../storefront/structured-data.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/gallery')({
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(galleryQuery()),
  head: ({ match: { context } }) =>
    createPageHead(context, {
      title: 'Gallery: before and after',
      description:
        'See still photos come to life as short videos: family portraits, special moments and vintage prints.',
      path: '/gallery',
      picture: 'gallery',
      jsonLd: [createBreadcrumbData(context, ['Gallery', '/gallery'])],
    }),
  component: GalleryPage,
  pendingComponent: GalleryPage,
});
