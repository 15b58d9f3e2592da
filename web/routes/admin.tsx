import { createFileRoute, redirect, useRouter } from '@tanstack/react-router';
import { AdminPage } from '../admin/admin-page.tsx';
import { AdminSkeleton } from '../admin/admin-skeleton.tsx';
import { takeAdminPath } from '../admin/return-path.ts';
import { AdminSearch, type OnSearch } from '../admin/search.ts';
import { isSignedIn, signInWithAdminKey } from '../admin/session.ts';
import { paths } from '../paths.ts';
import { stringifySearch } from '../search.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/admin')({
  // Render in the browser only. The admin cookie is SameSite=Strict: on a visit from an email link, the browser does
  // not send it with the page request, only with later requests.
  ssr: false,
  staticData: { bare: true },
  validateSearch: AdminSearch,
  loaderDeps: ({ search: { admin_key } }) => ({ admin_key }),
  // Do not preload on hover: the loader's requests and redirects must happen only after a click.
  preload: false,
  loader: async ({ context: { queryClient }, deps: { admin_key }, location }) => {
    if (admin_key !== undefined) {
      await signInWithAdminKey(admin_key);
      throw redirect({
        to: paths.admin,
        search: { ...(location.search as AdminSearch), admin_key: undefined },
        replace: true,
      });
    }
    if (!(await isSignedIn(queryClient))) return;
    const adminPath = takeAdminPath();
    if (adminPath !== undefined && location.searchStr === '') throw redirect({ href: adminPath, replace: true });
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Admin',
      description: 'The shop’s admin panel.',
      path: paths.admin,
      hidden: true,
    }),
  // Only the component gets its own chunk. The server sends the skeleton, so the browser needs the skeleton's code at
  // once.
  codeSplitGroupings: [['component']],
  component: Admin,
  pendingComponent: AdminSkeleton,
});

function Admin() {
  const search = Route.useSearch();
  const { site } = Route.useRouteContext();
  return <AdminPage shopName={site.name} search={search} onSearch={useChangeSearch()} />;
}

/**
 * A new history entry is added for another page of a list, for another tab, and for an opened item of a list. Back then
 * undoes the change. Closing the item goes back to the list's entry. Every other change replaces the current entry.
 */
function useChangeSearch(): OnSearch {
  const router = useRouter();
  const navigate = Route.useNavigate();
  const changeSearch = (search: AdminSearch, step: 'same' | 'next' | 'opened', resetScroll = false) =>
    void navigate({
      search,
      replace: step === 'same',
      state: step === 'same' || { isOpened: step === 'opened' },
      resetScroll,
    });
  const navigateBackTo = (list: AdminSearch) => {
    const unsubscribe = router.subscribe('onBeforeLoad', ({ toLocation }) => {
      unsubscribe();
      const targetSearch = AdminSearch(toLocation.search);
      // If Back led to another list than the requested one, show the requested list. If an item is open after Back, do
      // nothing: the owner stays on the item's unsaved changes.
      if (!hasOpenDetails(targetSearch) && stringifySearch(targetSearch) !== stringifySearch(list))
        changeSearch(list, 'same');
    });
    router.history.back();
  };
  return (changes, { isPage = false } = {}) => {
    const { search, state } = router.latestLocation;
    const currentSearch = AdminSearch(search);
    const nextSearch = { ...currentSearch, ...changes };
    if (nextSearch.tab !== currentSearch.tab) changeSearch(nextSearch, 'next');
    else if (state.isOpened && !hasOpenDetails(nextSearch)) navigateBackTo(nextSearch);
    else if (hasOpenDetails(nextSearch) && !hasOpenDetails(currentSearch)) changeSearch(nextSearch, 'opened');
    else changeSearch(nextSearch, isPage ? 'next' : 'same', isPage);
  };
}

const hasOpenDetails = ({ customer, order, ticket }: AdminSearch) => (customer ?? order ?? ticket) !== undefined;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The item was opened from the list that the previous history entry shows. */
    isOpened?: boolean;
  }
}
