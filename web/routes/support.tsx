import { createFileRoute } from '@tanstack/react-router';
import { SupportPage } from '../storefront/forms/support-page.tsx';
import { createBreadcrumbData } from '../storefront/structured-data.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/support')({
  head: ({ match: { context } }) =>
    createPageHead(context, {
      title: 'Support',
      description:
        'Help with your order, your photos or your frame. A person answers, typically within 24 hours on business days.',
      path: '/support',
      picture: 'faq',
      jsonLd: [createBreadcrumbData(context, ['Support', '/support'])],
    }),
  component: SupportPage,
});
