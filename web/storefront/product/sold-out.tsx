import { formatDollars, pricesInCents } from '#contract/catalog.ts';
import { paths } from '../../paths.ts';
import { StockNotificationForm } from './stock-notification-form.tsx';
import { Link } from '../../ui/link.tsx';

/** Shown in place of the purchase of a frame while none is left. */
export function SoldOut() {
  return (
    <div className="space-y-4">
      <p className="flex items-baseline justify-between gap-4">
        <span className="title-3">Sold out</span>
        <span className="text-muted tabular-nums">{formatDollars(pricesInCents.kinframe)}</span>
      </p>
      <p className="text-muted">The Kinframe is sold out right now.</p>
      <StockNotificationForm />
      <p className="border-t border-hair pt-4 text-[0.9375rem] text-muted">
        Do you own a Wi-Fi frame?{' '}
        <Link to={paths.byof} className="link">
          We can bring your photos to life on it
        </Link>
      </p>
    </div>
  );
}
