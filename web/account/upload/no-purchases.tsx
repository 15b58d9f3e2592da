import { useQuery } from '@tanstack/react-query';
import { Image } from 'lucide-react';
import { useEffect } from 'react';
import type { Customer } from '#contract/accounts.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useGoTo } from '../customer.ts';
import { framesQuery } from '../next-page.ts';

/** How long the notice is shown before the redirect. The next page shows it as a toast. */
const redirectMs = 2000;

/** For an account without a frame: redirects to the shop, or to the setup page if there are orders. */
export function NoPurchases({ customer }: { customer: Customer }) {
  const { data } = useQuery(framesQuery());
  const goTo = useGoTo();
  const hasOrders = data?.frameInfo.hasOrders;
  const text = customer.emailConfirmed
    ? 'Choose a frame first, then come back to add your photos.'
    : `Choose a frame first. If you bought with ${customer.email}, open the link we emailed you, and your order will show up here.`;
  useEffect(() => {
    if (hasOrders === undefined) return;
    if (hasOrders) {
      goTo(paths.deviceSetupPending, { replace: true });
      return;
    }
    const timer = setTimeout(() => {
      toast({ title: 'No Purchases Found', description: text });
      goTo(paths.chooseProduct, { replace: true });
    }, redirectMs);
    // Cancel the redirect when the person uses the page, for example to sign out.
    const cancelRedirect = () => clearTimeout(timer);
    const activityEvents = ['pointerdown', 'keydown'] as const;
    for (const activityEvent of activityEvents) document.addEventListener(activityEvent, cancelRedirect);
    return () => {
      cancelRedirect();
      for (const activityEvent of activityEvents) document.removeEventListener(activityEvent, cancelRedirect);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- decided once, when the orders are known
  }, [hasOrders]);

  if (hasOrders !== false) return <Skeleton className="mt-8 mb-16 h-80 rounded-xl" />;
  return (
    <div className="mt-8 mb-16 rounded-xl bg-linen/60">
      <EmptyState
        icon={<Image aria-hidden className="size-7" />}
        title="No Purchases Found"
        action={<LinkButton to={paths.chooseProduct}>Choose a frame</LinkButton>}
      >
        {text}
      </EmptyState>
    </div>
  );
}
