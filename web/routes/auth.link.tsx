import { createFileRoute } from '@tanstack/react-router';
import { LinkPage } from '../account/sign-in/link-page.tsx';
import { pageHead } from '../ui/page-head.ts';
import { searchParams, text } from '../search-params.ts';

const Search = searchParams({ token: text() });

export const Route = createFileRoute('/auth/link')({
  validateSearch: Search,
  head: ({ match }) =>
    pageHead(match.context, {
      title: 'Sign in by mail',
      description: 'Sign in with a link that we mail to you.',
      path: '/auth/link',
      hidden: true,
    }),
  component: SignInLink,
});

function SignInLink() {
  return <LinkPage token={Route.useSearch().token} />;
}
