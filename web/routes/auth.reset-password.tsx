import { createFileRoute } from '@tanstack/react-router';
import { ResetPasswordPage } from '../account/sign-in/reset-password-page.tsx';
import { createPageHead } from '../ui/page-head.ts';
import { defineSearchParams, textParam } from '../search-params.ts';

const Search = defineSearchParams({ token: textParam() });

export const Route = createFileRoute('/auth/reset-password')({
  validateSearch: Search,
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Choose a new password',
      description: 'Choose a new password with the link we emailed you.',
      path: '/auth/reset-password',
      hidden: true,
    }),
  component: ResetPassword,
});

function ResetPassword() {
  return <ResetPasswordPage token={Route.useSearch().token} />;
}
