import { createFileRoute } from '@tanstack/react-router';
import { LinkPage } from '../account/sign-in/link-page.tsx';
import { findMailedLink } from '../account/sign-in/mailed-link.ts';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ token: textParam(200) });

export const Route = createFileRoute('/auth/link')({
  validateSearch: Search,
  loaderDeps: ({ search: { token } }) => ({ token }),
  loader: ({ context: { queryClient }, deps }) => findMailedLink(queryClient, 'sign-in', deps.token),
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Sign in by email',
      description: 'Sign in with a link that we email you.',
      path: '/auth/link',
      hidden: true,
    }),
  component: SignInLink,
});

function SignInLink() {
  return <LinkPage token={Route.useSearch().token} found={Route.useLoaderData()} />;
}
