import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { AdminSkeleton } from '../admin/admin-skeleton.tsx';
import { PackingSlips } from '../admin/orders/packing-slips.tsx';
import { slipsQuery } from '../admin/orders/slips-query.ts';
import { rememberAdminPath } from '../admin/return-path.ts';
import { isSignedIn } from '../admin/session.ts';
import { paths } from '../paths.ts';
import { defineSearchParams, textParam } from '../search-params.ts';
import { createPageHead } from '../ui/page-head.ts';

const Search = defineSearchParams({ orders: textParam(8000) });

export const Route = createFileRoute('/admin_/packing-slips')({
  ssr: false,
  staticData: { bare: true },
  // Do not preload on hover: the loader's requests and redirects must happen only after a click.
  preload: false,
  validateSearch: Search,
  loaderDeps: ({ search: { orders } }) => ({ orders }),
  loader: async ({ context: { queryClient }, deps: { orders }, location }) => {
    if (!(await isSignedIn(queryClient))) {
      rememberAdminPath(location.href);
      throw redirect({ to: paths.adminLogin, replace: true });
    }
    await queryClient.fetchQuery({ ...slipsQuery(queryClient, orders), staleTime: 0 });
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Packing slips',
      description: 'Sheets to put in packages.',
      path: paths.admin,
      hidden: true,
    }),
  codeSplitGroupings: [['component']],
  component: Slips,
  pendingComponent: AdminSkeleton,
});

function Slips() {
  const { orders } = Route.useSearch();
  const { site, shop, queryClient } = Route.useRouteContext();
  const { data } = useSuspenseQuery(slipsQuery(queryClient, orders));
  return (
    <PackingSlips
      {...data}
      shopName={site.name}
      supportEmail={site.contactEmail}
      guideAddress={`${shop.origin.replace(/^https?:\/\//, '')}${paths.connectionGuide}`}
    />
  );
}
