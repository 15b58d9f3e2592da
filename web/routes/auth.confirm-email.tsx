import { createFileRoute } from '@tanstack/react-router';
import { ConfirmEmailPage } from '../account/sign-in/confirm-email-page.tsx';
import { findMailedLink } from '../account/sign-in/mailed-link.ts';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ token: textParam(200) });

export const Route = createFileRoute('/auth/confirm-email')({
  validateSearch: Search,
  loaderDeps: ({ search: { token } }) => ({ token }),
  loader: ({ context: { queryClient }, deps }) => findMailedLink(queryClient, 'email-confirmation', deps.token),
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Confirm your email',
      description: 'Confirm your email address with the link we emailed you.',
      path: '/auth/confirm-email',
      hidden: true,
    }),
  component: ConfirmEmail,
});

function ConfirmEmail() {
  return <ConfirmEmailPage token={Route.useSearch().token} found={Route.useLoaderData()} />;
}
