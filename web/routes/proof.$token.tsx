import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { rethrowAsNotFound } from '../data/not-found.ts';
import { InvalidDeliveryPage } from '../delivery/invalid-delivery-page.tsx';
import { ProofPage, proofQuery } from '../delivery/proof-page.tsx';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/proof/$token')({
  /** The API's response also sets the cookie that gives access to the videos. The server sends it with the page. */
  loader: ({ context: { queryClient }, params: { token } }) =>
    queryClient.ensureQueryData(proofQuery(token)).then(() => undefined, rethrowAsNotFound),
  head: ({ match }) => {
    const head = createPageHead(match.context, {
      title: 'Review your videos',
      description: 'A private page with your videos before we deliver them.',
      path: '/proof',
      hidden: true,
    });
    return { ...head, meta: [...head.meta, { name: 'referrer', content: 'no-referrer' }], links: [] };
  },
  component: Proof,
  notFoundComponent: InvalidDeliveryPage,
});

function Proof() {
  const { token } = Route.useParams();
  return <ProofPage token={token} proof={useSuspenseQuery(proofQuery(token)).data} />;
}
