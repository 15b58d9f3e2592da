import { createFileRoute, redirect } from '@tanstack/react-router';
import { AdminLoginPage } from '../admin/login-page.tsx';
import { LoginSkeleton } from '../admin/login-skeleton.tsx';
import { isSignedIn } from '../admin/session.ts';
import { paths } from '../paths.ts';
import { oneOfParam, defineSearchParams } from '../search-params.ts';
import { createPageHead } from '../ui/page-head.ts';

const Search = defineSearchParams({
  /** Why sign-in with the owner's identity provider failed, for a visitor who was redirected back from it. */
  refused: oneOfParam('owner-sign-in-off', 'owner-sign-in-away'),
  /** Set when the session of the admin panel has just ended, with the reason if the owner ended it. */
  ended: oneOfParam('true', 'removed', 'role-changed'),
});

export const Route = createFileRoute('/admin-login')({
  ssr: false,
  staticData: { bare: true },
  validateSearch: Search,
  // Do not preload on hover: the loader's requests and redirects must happen only after a click.
  preload: false,
  loader: async ({ context: { queryClient } }) => {
    // If the API is unreachable, open the page anyway. The form then shows the error.
    if (await isSignedIn(queryClient).catch(() => false)) throw redirect({ to: paths.admin, replace: true });
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Admin sign-in',
      description: 'Sign in to the shop’s admin panel.',
      path: paths.adminLogin,
      hidden: true,
    }),
  // Only the component gets its own chunk. The server sends the skeleton, so the browser needs the skeleton's code at
  // once.
  codeSplitGroupings: [['component']],
  component: AdminLogin,
  pendingComponent: LoginSkeleton,
});

function AdminLogin() {
  const { site } = Route.useRouteContext();
  const { refused, ended } = Route.useSearch();
  return <AdminLoginPage shopName={site.name} refused={refused} ended={ended} />;
}
