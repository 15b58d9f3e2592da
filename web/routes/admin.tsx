import { createFileRoute, redirect } from '@tanstack/react-router';
import { AdminPage } from '../admin/admin-page.tsx';
import { AdminSkeleton } from '../admin/admin-skeleton.tsx';
import { takeAdminPath } from '../admin/return-path.ts';
import { AdminSearch } from '../admin/search.ts';
import { isSignedIn, takeAdminKey } from '../admin/session.ts';
import { paths } from '../paths.ts';
import { pageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/admin')({
  // In the browser only: coming from a mail, the admin's strict cookie arrives with the second request.
  ssr: false,
  staticData: { bare: true },
  validateSearch: AdminSearch,
  loaderDeps: ({ search: { admin_key } }) => ({ admin_key }),
  // What it asks, and where it leads, is the click's.
  preload: false,
  loader: async ({ context: { queryClient }, deps: { admin_key }, location }) => {
    if (admin_key !== undefined) {
      await takeAdminKey(admin_key);
      throw redirect({
        to: paths.admin,
        search: { ...(location.search as AdminSearch), admin_key: undefined },
        replace: true,
      });
    }
    if (!(await isSignedIn(queryClient))) return;
    const asked = takeAdminPath();
    if (asked !== undefined && location.searchStr === '') throw redirect({ href: asked, replace: true });
  },
  head: ({ match }) =>
    pageHead(match.context, { title: 'Admin', description: 'The shop’s own panel.', path: paths.admin, hidden: true }),
  // The skeleton is what the server sends, so it cannot wait for a chunk of its own.
  codeSplitGroupings: [['component']],
  component: Admin,
  pendingComponent: AdminSkeleton,
});

function Admin() {
  const search = Route.useSearch();
  const { site } = Route.useRouteContext();
  const navigate = Route.useNavigate();
  return (
    <AdminPage
      shopName={site.name}
      search={search}
      onSearch={(change, { isPage = false } = {}) =>
        void navigate({ search: (now) => ({ ...now, ...change }), replace: !isPage, resetScroll: isPage })
      }
    />
  );
}
