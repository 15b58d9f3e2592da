import { createFileRoute } from '@tanstack/react-router';
import { DeviceSetupPendingPage, DeviceSetupSkeleton } from '../account/before-upload/device-setup-pending-page.tsx';
import { loadCustomer } from '../account/customer.ts';
import { framesQuery } from '../account/next-page.ts';
import { SignedIn } from '../account/signed-in.tsx';
import { paths } from '../paths.ts';
import { createPageHead } from '../ui/page-head.ts';

export const Route = createFileRoute('/device-setup-pending')({
  loader: async ({ context: { queryClient }, preload }) => {
    if (preload || !(await loadCustomer(queryClient))) return;
    await queryClient.prefetchQuery(framesQuery());
  },
  head: ({ match }) =>
    createPageHead(match.context, {
      title: 'Setting up your frame',
      description: 'The progress of your frame’s setup.',
      path: paths.deviceSetupPending,
      hidden: true,
    }),
  component: () => <SignedIn skeleton={<DeviceSetupSkeleton />}>{() => <DeviceSetupPendingPage />}</SignedIn>,
});
