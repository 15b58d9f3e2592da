import { createFileRoute } from '@tanstack/react-router';
import { loadCustomer } from '../account/customer.ts';
import { limitsQuery } from '../account/limits-query.ts';
import { framesQuery } from '../account/next-page.ts';
import { SignedIn } from '../account/signed-in.tsx';
import { UploadPage, UploadSkeleton } from '../account/upload/upload-page.tsx';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';
import { oneOfParam, defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({
  frameId: textParam(),
  addon: oneOfParam('success', 'cancelled'),
  session_id: textParam(),
});

export const Route = createFileRoute('/upload')({
  validateSearch: Search,
  loader: async ({ context: { queryClient }, preload }) => {
    if (preload || !(await loadCustomer(queryClient))) return;
    await queryClient.prefetchQuery({ ...limitsQuery(), staleTime: 0 });
    if (queryClient.getQueryData(limitsQuery().queryKey)?.frames.length === 0) {
      await queryClient.prefetchQuery(framesQuery());
    }
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Your photos',
      description: 'Add the photos for your frame.',
      path: paths.upload,
      hidden: true,
    }),
  component: Upload,
});

function Upload() {
  const { frameId, addon, session_id: sessionId } = Route.useSearch();
  const { site } = Route.useRouteContext();
  const navigate = Route.useNavigate();
  return (
    <SignedIn skeleton={<UploadSkeleton />}>
      {(customer) => (
        <UploadPage
          customer={customer}
          frameId={frameId}
          addonReturn={{ addon, sessionId }}
          onAddonSeen={() => void navigate({ search: { frameId }, replace: true, resetScroll: false })}
          onFrame={(id) => void navigate({ search: { frameId: id }, replace: true, resetScroll: false })}
          supportEmail={site.contactEmail}
        />
      )}
    </SignedIn>
  );
}
