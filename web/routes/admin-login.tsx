import { createFileRoute, redirect } from '@tanstack/react-router';
import { AdminLoginPage } from '../admin/login-page.tsx';
import { LoginSkeleton } from '../admin/login-skeleton.tsx';
import { isSignedIn } from '../admin/session.ts';
import { paths } from '../paths.ts';
import { oneOf, searchParams } from '../search-params.ts';
import { pageHead } from '../ui/page-head.ts';

const Search = searchParams({
  /** Why the owner's provider did not open, for the visit that comes from there. */
  refused: oneOf('owner-sign-in-off', 'owner-sign-in-away'),
  /** For who was in the panel until a moment ago. */
  ended: oneOf('true'),
});

export const Route = createFileRoute('/admin-login')({
  ssr: false,
  staticData: { bare: true },
  validateSearch: Search,
  // What it asks, and where it leads, is the click's.
  preload: false,
  loader: async ({ context: { queryClient } }) => {
    // A shop that cannot be asked still shows the form, which then says so.
    if (await isSignedIn(queryClient).catch(() => false)) throw redirect({ to: paths.admin, replace: true });
  },
  head: ({ match }) =>
    pageHead(match.context, {
      title: 'Admin sign-in',
      description: 'The door to the shop’s own panel.',
      path: paths.adminLogin,
      hidden: true,
    }),
  // What the server sends.
  codeSplitGroupings: [['component']],
  component: AdminLogin,
  pendingComponent: LoginSkeleton,
});

function AdminLogin() {
  const { site } = Route.useRouteContext();
  const { refused, ended } = Route.useSearch();
  return <AdminLoginPage shopName={site.name} refused={refused} isEnded={ended !== undefined} />;
}
