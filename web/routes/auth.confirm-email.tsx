import { createFileRoute } from '@tanstack/react-router';
import { ConfirmEmailPage } from '../account/sign-in/confirm-email-page.tsx';
import { pageHead } from '../ui/page-head.ts';
import { searchParams, text } from '../search-params.ts';

const Search = searchParams({ token: text() });

export const Route = createFileRoute('/auth/confirm-email')({
  validateSearch: Search,
  head: ({ match }) =>
    pageHead(match.context, {
      title: 'Confirm your email',
      description: 'Confirm your email address with the link we mailed you.',
      path: '/auth/confirm-email',
      hidden: true,
    }),
  component: ConfirmEmail,
});

function ConfirmEmail() {
  return <ConfirmEmailPage token={Route.useSearch().token} />;
}
