import { createFileRoute } from '@tanstack/react-router';
import { ConnectPage, ConnectSkeleton } from '../account/connect/connect-page.tsx';
import { loadCustomer } from '../account/customer.ts';
import { limitsQuery } from '../account/limits-query.ts';
import { SignedIn } from '../account/signed-in.tsx';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ frameId: textParam() });

export const Route = createFileRoute('/connect')({
  validateSearch: Search,
  loader: async ({ context: { queryClient }, preload }) => {
    if (preload || !(await loadCustomer(queryClient))) return;
    await queryClient.prefetchQuery({ ...limitsQuery(), staleTime: 0 });
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Connect your frame',
      description: 'Tell us how to send your videos to your frame.',
      path: paths.connect(),
      hidden: true,
    }),
  component: Connect,
});

function Connect() {
  const { frameId } = Route.useSearch();
  return <SignedIn skeleton={<ConnectSkeleton />}>{() => <ConnectPage frameId={frameId} />}</SignedIn>;
}
