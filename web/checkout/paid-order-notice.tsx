import { useEffect, useRef } from 'react';
import { type PaidOrder, readPaidOrder } from '../data/payment-memory.ts';
import { paths } from '../paths.ts';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/surfaces.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';

/**
 * Says that the order which this tab has paid is complete. A buyer who goes back after the payment finds the form empty
 * and might fear that the order is lost. Shows nothing in a tab without a paid order.
 */
export function PaidOrderNotice() {
  const order = useHydrated() ? readPaidOrder() : undefined;
  return order && <LinkToPaidOrder {...order} />;
}

function LinkToPaidOrder({ next }: PaidOrder) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Going back restores the scroll position of the pay button. Scroll after that, or the notice is out of view.
    const timer = setTimeout(() => notice.current?.scrollIntoView({ block: 'center', behavior: 'instant' }));
    return () => clearTimeout(timer);
  }, []);
  return (
    <div ref={notice} className="mb-6">
      <Notice tone="good" title="Your last order is paid">
        <p className="mt-1">You don’t need to enter your details again, unless you want to order something else.</p>
        <Link to={next} className="link mt-1 inline-flex min-h-11 items-center">
          {next === paths.upload ? 'Go to my photos' : 'Create my account to add photos'}
        </Link>
      </Notice>
    </div>
  );
}
