import { createFileRoute, redirect } from '@tanstack/react-router';
import { AuthSearch } from '../account/sign-in/auth-search.ts';
import { paths } from '../paths.ts';

/** /auth/login redirects to /auth. */
export const Route = createFileRoute('/auth/login')({
  validateSearch: AuthSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: paths.signIn, search, replace: true });
  },
});
