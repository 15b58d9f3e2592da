import { createFileRoute, redirect, useRouter } from '@tanstack/react-router';
import { AdminPage } from '../admin/admin-page.tsx';
import { AdminSkeleton } from '../admin/admin-skeleton.tsx';
import { takeAdminPath } from '../admin/return-path.ts';
import { AdminSearch, type OnSearch } from '../admin/search.ts';
import { isSignedIn, takeAdminKey } from '../admin/session.ts';
import { paths } from '../paths.ts';
import { stringifySearch } from '../search.ts';
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
  return <AdminPage shopName={site.name} search={search} onSearch={useOnSearch()} />;
}

/**
 * Turning a page, opening a tab, or one thing of a list is a step, which Back undoes; closing that one goes back to the
 * list. Whatever else is asked for changes the step that is open.
 */
function useOnSearch(): OnSearch {
  const router = useRouter();
  const navigate = Route.useNavigate();
  const change = (search: AdminSearch, step: 'same' | 'next' | 'opened', resetScroll = false) =>
    void navigate({
      search,
      replace: step === 'same',
      state: step === 'same' || { isOpened: step === 'opened' },
      resetScroll,
    });
  const goBackTo = (list: AdminSearch) => {
    const stop = router.subscribe('onBeforeLoad', ({ toLocation }) => {
      stop();
      const there = AdminSearch(toLocation.search);
      // Asked for another list meanwhile, or somebody stays with what is not saved.
      if (!isOpened(there) && stringifySearch(there) !== stringifySearch(list)) change(list, 'same');
    });
    router.history.back();
  };
  return (changes, { isPage = false } = {}) => {
    const { search, state } = router.latestLocation;
    const now = AdminSearch(search);
    const next = { ...now, ...changes };
    if (next.tab !== now.tab) change(next, 'next');
    else if (state.isOpened && !isOpened(next)) goBackTo(next);
    else if (isOpened(next) && !isOpened(now)) change(next, 'opened');
    else change(next, isPage ? 'next' : 'same', isPage);
  };
}

const isOpened = ({ customer, order, ticket }: AdminSearch) => (customer ?? order ?? ticket) !== undefined;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Opened from the list that the step before shows. */
    isOpened?: boolean;
  }
}
