import { createFileRoute, redirect } from '@tanstack/react-router';
import { UploadLinkClosed } from '../customer-upload/upload-link-closed.tsx';
import { CustomerUploadPage, CustomerUploadSkeleton } from '../customer-upload/customer-upload-page.tsx';
import { exchangeQuery, linkPhotosQuery, uploadLinkQuery } from '../customer-upload/link-queries.ts';
import { isRefusal } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { defineSearchParams, textParam } from '../search-params.ts';
import { createPageHead } from '../ui/page-head.ts';

const Search = defineSearchParams({ token: textParam(200) });

export const Route = createFileRoute('/customer-upload')({
  validateSearch: Search,
  loaderDeps: ({ search: { token } }) => ({ token }),
  loader: async ({ context: { queryClient }, deps: { token } }): Promise<'open' | 'missing' | 'denied'> => {
    try {
      if (token !== undefined) {
        const { valid } = await queryClient.fetchQuery({ ...exchangeQuery(token), staleTime: 0 });
        if (!valid) return 'denied';
      } else {
        const link = await queryClient.fetchQuery({ ...uploadLinkQuery(), staleTime: 0 });
        await queryClient.fetchQuery({ ...linkPhotosQuery(link.customerId), staleTime: 0 });
        return 'open';
      }
    } catch (error) {
      if (isRefusal(error, 'link-missing')) return 'missing';
      if (isRefusal(error, 'link-expired')) return 'denied';
      throw error;
    }
    // From here on the cookie gives access. Remove the token from the address: other people can see the address on the
    // screen, and the browser history keeps it.
    throw redirect({ to: '/customer-upload', search: {}, replace: true });
  },
  head: ({ match }) => {
    const head = createPageHead(match.context, {
      title: 'Add your photos',
      description: 'A private page for adding photos.',
      path: paths.customerUpload,
      hidden: true,
    });
    return { ...head, meta: [...head.meta, { name: 'referrer', content: 'no-referrer' }], links: [] };
  },
  pendingComponent: CustomerUploadSkeleton,
  component: CustomerUpload,
});

function CustomerUpload() {
  const linkState = Route.useLoaderData();
  return linkState === 'open' ? <CustomerUploadPage /> : <UploadLinkClosed why={linkState} />;
}
