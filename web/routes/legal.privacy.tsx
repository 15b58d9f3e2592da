import { createFileRoute } from '@tanstack/react-router';
import { PrivacyPage } from '../storefront/legal/privacy-page.tsx';
import { createBreadcrumbData } from '../storefront/structured-data.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/legal/privacy')({
  head: ({ match: { context } }) =>
    createPageHead(context, {
      title: 'Privacy Policy',
      description:
        'What we collect, why, how long we keep it, and what you can ask of us. Your photos are used only to make your videos.',
      path: '/legal/privacy',
      jsonLd: [createBreadcrumbData(context, ['Privacy Policy', '/legal/privacy'])],
    }),
  component: PrivacyPage,
});
