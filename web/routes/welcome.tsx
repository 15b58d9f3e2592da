import { createFileRoute } from '@tanstack/react-router';
import { buyerQuery, SessionParam } from '../checkout/session-queries.ts';
import { WelcomePage } from '../checkout/welcome-page.tsx';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/welcome')({
  validateSearch: SessionParam,
  loaderDeps: ({ search: { session } }) => ({ session }),
  // prefetchQuery does not throw: if the name cannot be loaded, the greeting has no name.
  loader: ({ context: { queryClient }, deps }) => queryClient.prefetchQuery(buyerQuery(deps.session)),
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Welcome',
      description: 'Thank you for your order. Next: your photos.',
      path: '/welcome',
      hidden: true,
    }),
  component: Welcome,
});

function Welcome() {
  return <WelcomePage session={Route.useSearch().session} site={Route.useRouteContext().site} />;
}
