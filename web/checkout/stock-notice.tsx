import type { Cart } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import { exceedsFrameStock } from '../data/stock.ts';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { Notice } from '../ui/surfaces.tsx';

/** Says that there are too few frames for a cart. Shows nothing if there are enough. */
export function StockNotice({ cart, framesLeft }: { cart: Cart; framesLeft: number | null }) {
  if (framesLeft === null || !exceedsFrameStock(cart, framesLeft)) return null;
  const isSoldOut = framesLeft === 0;
  return (
    <Notice
      tone="warn"
      title={isSoldOut ? 'Sold out' : `Only ${countText(framesLeft, 'frame')} left`}
      className="sm:p-6"
    >
      <p className="mt-1">
        {isSoldOut
          ? 'The Kinframe is sold out right now. To get an email when it’s back in stock, sign up on the Kinframe page.'
          : `Your order has ${countText(cart.quantity, 'frame')}. Please choose fewer frames.`}
      </p>
      <LinkButton to={isSoldOut ? paths.kinframe : paths.choiceOf({ ...cart, quantity: framesLeft })} className="mt-4">
        {isSoldOut ? 'See the Kinframe' : 'Change the number of frames'}
      </LinkButton>
    </Notice>
  );
}
