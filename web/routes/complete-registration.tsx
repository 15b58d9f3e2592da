import { createFileRoute } from '@tanstack/react-router';
import { CompleteRegistrationPage } from '../checkout/complete-registration-page.tsx';
import { findBuyer } from '../checkout/find-buyer.ts';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ token: textParam(200) });

export const Route = createFileRoute('/complete-registration')({
  validateSearch: Search,
  loaderDeps: ({ search: { token } }) => ({ token }),
  loader: ({ context: { queryClient }, deps }) => findBuyer(queryClient, deps.token),
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Complete your registration',
      description: 'Your payment went through. Set a password for your account.',
      path: '/complete-registration',
      hidden: true,
    }),
  component: CompleteRegistration,
});

function CompleteRegistration() {
  return <CompleteRegistrationPage token={Route.useSearch().token} found={Route.useLoaderData()} />;
}
