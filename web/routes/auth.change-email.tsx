import { createFileRoute } from '@tanstack/react-router';
import { ChangeEmailPage } from '../account/sign-in/change-email-page.tsx';
import { findMailedLink } from '../account/sign-in/mailed-link.ts';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ token: textParam(200) });

export const Route = createFileRoute('/auth/change-email')({
  validateSearch: Search,
  loaderDeps: ({ search: { token } }) => ({ token }),
  loader: ({ context: { queryClient }, deps }) => findMailedLink(queryClient, 'email-change', deps.token),
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Your new email',
      description: 'Confirm the new email address for your account.',
      path: '/auth/change-email',
      hidden: true,
    }),
  component: ChangeEmail,
});

function ChangeEmail() {
  return <ChangeEmailPage token={Route.useSearch().token} found={Route.useLoaderData()} />;
}
