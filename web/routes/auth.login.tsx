import { createFileRoute, redirect } from '@tanstack/react-router';
import { paths } from '../paths.ts';

/** The other name of /auth. */
export const Route = createFileRoute('/auth/login')({
  beforeLoad: () => {
    throw redirect({ to: paths.signIn, replace: true });
  },
});
