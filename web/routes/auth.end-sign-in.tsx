import { createFileRoute } from '@tanstack/react-router';
import { EndSignInPage } from '../account/sign-in/end-sign-in-page.tsx';
import { pageHead } from '../ui/page-head.ts';
import { searchParams, textParam } from '../search-params.ts';

const Search = searchParams({ token: textParam() });

export const Route = createFileRoute('/auth/end-sign-in')({
  validateSearch: Search,
  head: ({ match }) =>
    pageHead(match.context, {
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
