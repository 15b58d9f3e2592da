import { createFileRoute } from '@tanstack/react-router';
import { orderSummaryQuery } from '../account/order-queries.ts';
import { UploadCompletePage } from '../account/upload/upload-complete-page.tsx';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ finalized: textParam(), comeback: textParam(), session: textParam() });

export const Route = createFileRoute('/upload-complete')({
  validateSearch: Search,
  loaderDeps: ({ search: { session } }) => ({ session }),
  loader: async ({ context: { queryClient }, deps, preload }) => {
    if (!preload) await queryClient.prefetchQuery({ ...orderSummaryQuery(deps.session), staleTime: 0 });
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Thank you',
      description: 'Your order and your photos.',
      path: '/upload-complete',
      hidden: true,
    }),
  component: UploadComplete,
});

function UploadComplete() {
  const { finalized, session } = Route.useSearch();
  return <UploadCompletePage how={finalized === 'true' ? 'finalized' : 'comeback'} session={session} />;
}
