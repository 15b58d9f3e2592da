import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ResetPasswordPage } from '../account/sign-in/reset-password-page.tsx';
import { pageHead } from '../ui/page-head.ts';

const Search = z.object({ token: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute('/auth/reset-password')({
  validateSearch: Search,
  head: ({ match }) =>
    pageHead(match.context, {
      title: 'Choose a new password',
      description: 'Choose a new password with the link we mailed you.',
      path: '/auth/reset-password',
      hidden: true,
    }),
  component: ResetPassword,
});

function ResetPassword() {
  return <ResetPasswordPage token={Route.useSearch().token} />;
}
