import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { CollectPage } from '../collect/collect-page.tsx';
import { collectQuery } from '../collect/collect-query.ts';
import { UnknownLinkPage } from '../collect/unknown-link-page.tsx';
import { rethrowAsNotFound } from '../data/not-found.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/collect/$token')({
  loader: ({ context: { queryClient }, params: { token } }) =>
    queryClient.ensureQueryData(collectQuery(token)).then(() => undefined, rethrowAsNotFound),
  head: ({ match }) => {
    const head = createPageHead(match.context, {
      title: 'Add your photos',
      description: 'A private page for adding photos to a family’s frame.',
      path: '/collect',
      hidden: true,
    });
    return { ...head, meta: [...head.meta, { name: 'referrer', content: 'no-referrer' }], links: [] };
  },
  component: Collect,
  notFoundComponent: UnknownLinkPage,
});

function Collect() {
  const { token } = Route.useParams();
  return <CollectPage token={token} collecting={useSuspenseQuery(collectQuery(token)).data} />;
}
