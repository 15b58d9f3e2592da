import { createFileRoute } from '@tanstack/react-router';
import { SelectFramePage, SelectFrameSkeleton } from '../account/before-upload/select-frame-page.tsx';
import { loadCustomer } from '../account/customer.ts';
import { framesQuery } from '../account/next-page.ts';
import { SignedIn } from '../account/signed-in.tsx';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/select-frame')({
  loader: async ({ context: { queryClient }, preload }) => {
    if (preload || !(await loadCustomer(queryClient))) return;
    await queryClient.prefetchQuery(framesQuery());
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Choose a frame',
      description: 'Choose the frame your photos are for.',
      path: paths.selectFrame,
      hidden: true,
    }),
  component: () => <SignedIn skeleton={<SelectFrameSkeleton />}>{() => <SelectFramePage />}</SignedIn>,
});
