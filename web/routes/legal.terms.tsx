import { createFileRoute } from '@tanstack/react-router';
import { TermsPage } from '../storefront/legal/terms-page.tsx';
import { createBreadcrumbData } from '../storefront/structured-data.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/legal/terms')({
  head: ({ match: { context } }) =>
    createPageHead(context, {
      title: 'Terms of Service',
      description:
        'Prices, delivery, a 30-day return window, a 1-year limited warranty, and your rights to your photos and videos.',
      path: '/legal/terms',
      jsonLd: [createBreadcrumbData(context, ['Terms of Service', '/legal/terms'])],
    }),
  component: TermsPage,
});
