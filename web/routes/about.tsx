import { createFileRoute } from '@tanstack/react-router';
import { aboutQuery } from '../data/queries.ts';
import { AboutPage } from '../storefront/pages/about-page.tsx';
import { createBreadcrumbData, createOrganizationData } from '../storefront/structured-data.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/about')({
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(aboutQuery()),
  head: ({ match: { context } }) =>
    createPageHead(context, {
      title: 'About us',
      description: 'A small shop for pictures that deserve better than a phone: why we make Kinframe, and how.',
      path: '/about',
      jsonLd: [createOrganizationData(context), createBreadcrumbData(context, ['About', '/about'])],
    }),
  component: AboutPage,
});
