import { createFileRoute } from '@tanstack/react-router';
import { ForgotPasswordPage } from '../account/sign-in/forgot-password-page.tsx';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/auth/forgot-password')({
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Forgot your password?',
      description: 'Request a link to choose a new password.',
      path: paths.forgotPassword,
      hidden: true,
    }),
  component: ForgotPasswordPage,
});
