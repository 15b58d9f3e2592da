import { createFileRoute } from '@tanstack/react-router';
import { loadCustomer } from '../account/customer.ts';
import { AccountSkeleton } from '../account/own/account-page.tsx';
import { ReceiptPage, receiptQuery } from '../account/own/receipt.tsx';
import { SignedIn } from '../account/signed-in.tsx';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/account/erased/$id')({
  loader: async ({ context: { queryClient }, params: { id }, preload }) => {
    if (preload || !(await loadCustomer(queryClient))) return;
    await queryClient.prefetchQuery(receiptQuery(id));
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Deleted photos',
      description: 'What was deleted, and when.',
      path: paths.account,
      hidden: true,
    }),
  component: Receipt,
});

function Receipt() {
  const { id } = Route.useParams();
  return <SignedIn skeleton={<AccountSkeleton />}>{() => <ReceiptPage id={id} />}</SignedIn>;
}
