import { useCallback, useState } from 'react';
import { type Cart, formatDollars, photoCountOf, calculateCartPrice } from '#contract/catalog.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useIsWideScreen } from '../../ui/media-queries.ts';

/** Observes the page's own buy link. BuyBar is shown while that link is out of view. */
export function useBuyLink() {
  const [isOutOfSight, setOutOfSight] = useState(false);
  const buyLink = useCallback((link: HTMLAnchorElement) => {
    const visibilityObserver = new IntersectionObserver(([entry]) => setOutOfSight(entry?.isIntersecting === false));
    visibilityObserver.observe(link);
    return () => visibilityObserver.disconnect();
  }, []);
  return { buyLink, isOutOfSight };
}

interface Props {
  cart: Cart;
  words: string;
  /** Whether the page's own buy link is out of view. */
  isShown: boolean;
}

/**
 * The buy bar at the bottom of the window on a product's page, on phones. It is the last element of the page content,
 * so it never covers the footer.
 */
export function BuyBar({ cart, words, isShown }: Props) {
  const isWide = useIsWideScreen();
  if (isWide || !isShown) return null;
  return (
    <div
      data-bottom-bar
      className="sticky bottom-0 z-30 -mt-15 animate-fade border-t border-hair bg-paper/95 backdrop-blur-sm print:hidden"
    >
      <div className="wrap flex items-center justify-between gap-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <p className="leading-tight">
          <span className="block font-serif text-2xl font-medium tabular-nums">
            {formatDollars(calculateCartPrice(cart).subtotalCents)}
          </span>
          <span className="text-[0.9375rem] text-muted">{photoCountOf(cart)} photos</span>
        </p>
        <LinkButton to={paths.customerDetails(cart)}>{words}</LinkButton>
      </div>
    </div>
  );
}
