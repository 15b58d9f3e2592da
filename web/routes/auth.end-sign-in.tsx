import { createFileRoute } from '@tanstack/react-router';
import { EndSignInPage } from '../account/sign-in/end-sign-in-page.tsx';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ token: textParam() });

export const Route = createFileRoute('/auth/end-sign-in')({
  validateSearch: Search,
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Sign a browser out',
      description: 'Sign out a browser that isn’t yours.',
      path: '/auth/end-sign-in',
      hidden: true,
    }),
  component: EndSignIn,
});

function EndSignIn() {
  return <EndSignInPage token={Route.useSearch().token} />;
}
