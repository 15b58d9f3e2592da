import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { AdminSkeleton } from '../admin/admin-skeleton.tsx';
import { GiftReceipt } from '../admin/orders/gift-receipt.tsx';
import { rememberAdminPath } from '../admin/return-path.ts';
import { isSignedIn } from '../admin/session.ts';
import { query } from '../data/api.ts';
import { rethrowAsNotFound } from '../data/not-found.ts';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

const orderQuery = (id: string) => query('/api/admin/orders/:id', { params: { id } });

export const Route = createFileRoute('/admin_/gift-receipt/$orderId')({
  ssr: false,
  staticData: { bare: true },
  // Do not preload on hover: the loader's requests and redirects must happen only after a click.
  preload: false,
  loader: async ({ context: { queryClient }, params, location }) => {
    if (!(await isSignedIn(queryClient))) {
      rememberAdminPath(location.href);
      throw redirect({ to: paths.adminLogin, replace: true });
    }
    await queryClient
      .fetchQuery({ ...orderQuery(params.orderId), staleTime: 0 })
      .then(() => undefined, rethrowAsNotFound);
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Gift receipt',
      description: 'A sheet to put in the package of a gift.',
      path: paths.admin,
      hidden: true,
    }),
  codeSplitGroupings: [['component']],
  component: Receipt,
  pendingComponent: AdminSkeleton,
});

function Receipt() {
  const { orderId } = Route.useParams();
  const { site } = Route.useRouteContext();
  const { data: order } = useSuspenseQuery(orderQuery(orderId));
  return <GiftReceipt order={order} shopName={site.name} supportEmail={site.contactEmail} />;
}
