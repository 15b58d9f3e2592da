import { createFileRoute } from '@tanstack/react-router';
import { ContactPage } from '../storefront/forms/contact-page.tsx';
import { createBreadcrumbData } from '../storefront/structured-data.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/contact')({
  head: ({ match: { context } }) =>
    createPageHead(context, {
      title: 'Contact us',
      description:
        'Questions before buying, ideas, or a story about a photo: write to us and a person answers within 24 hours.',
      path: '/contact',
      picture: 'faq',
      jsonLd: [createBreadcrumbData(context, ['Contact', '/contact'])],
    }),
  component: ContactPage,
});
