import { createFileRoute } from '@tanstack/react-router';
import { faqsQuery } from '../data/queries.ts';
import { FaqPage } from '../storefront/pages/faq-page.tsx';
import { createBreadcrumbData, createFaqData } from '../storefront/structured-data.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/faq')({
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(faqsQuery()),
  head: ({ match: { context } }) => {
    const faqs = context.queryClient.getQueryData(faqsQuery().queryKey);
    return createPageHead(context, {
      title: 'Frequently asked questions',
      description:
        'Which photos work best, how long it takes, how videos reach the frame, shipping, returns and privacy.',
      path: '/faq',
      picture: 'faq',
      jsonLd: [...(faqs?.length ? [createFaqData(faqs)] : []), createBreadcrumbData(context, ['FAQ', '/faq'])],
    });
  },
  component: FaqPage,
  pendingComponent: FaqPage,
});
