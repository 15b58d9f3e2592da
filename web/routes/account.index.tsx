import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import type { ErasureReceipt } from '#contract/erasure.ts';
import { loadCustomer } from '../account/customer.ts';
import { AccountPage, AccountSkeleton } from '../account/own/account-page.tsx';
import { accountQuery } from '../account/own/account-query.ts';
import { AccountDeletedPage } from '../account/own/receipt.tsx';
import { SignedIn } from '../account/signed-in.tsx';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/account/')({
  loader: async ({ context: { queryClient }, preload }) => {
    if (preload || !(await loadCustomer(queryClient))) return;
    await queryClient.prefetchQuery({ ...accountQuery(), staleTime: 0 });
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Your account',
      description: 'Your details, how you sign in, and what happens to your photos.',
      path: paths.account,
      hidden: true,
    }),
  component: Account,
});

function Account() {
  const [receipt, setReceipt] = useState<ErasureReceipt>();
  // The account is deleted, so no one is signed in. Show the receipt without asking to sign in.
  if (receipt) return <AccountDeletedPage receipt={receipt} />;
  return <SignedIn skeleton={<AccountSkeleton />}>{() => <AccountPage onDeleted={setReceipt} />}</SignedIn>;
}
