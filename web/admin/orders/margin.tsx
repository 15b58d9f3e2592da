import { useQuery } from '@tanstack/react-query';
import { formatDollars } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import type { OrderMargin } from '#contract/owner/margins.ts';
import { query } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Skeleton } from '../../ui/surfaces.tsx';
import { makerLabel } from '../production/maker-label.ts';
import { uncachedQueryOptions, useSessionEndOn } from '../session.ts';
import { Link } from '../../ui/link.tsx';
import { OrderPanelSection } from './order-panel-section.tsx';

/** The margin of an order: its price minus all known costs. */
export function Margin({ orderId }: { orderId: string }) {
  const { data, error } = useQuery({
    ...query('/api/admin/orders/:id/margin', { params: { id: orderId } }),
    ...uncachedQueryOptions,
  });
  useSessionEndOn(error);
  return (
    <OrderPanelSection title="Profit" isFolded>
      {error && !data && <p className="text-bad">{errorText(error, 'Failed to calculate the profit')}</p>}
      {!error && !data && <Skeleton className="h-44" />}
      {data && <MarginLines margin={data} />}
    </OrderPanelSection>
  );
}

/** A line of the margin: an amount in cents, or the reason why the cost is unknown. */
interface Line {
  words: string;
  cents: number | 'not known yet' | 'not set';
}

function createMarginLines(margin: OrderMargin): Line[] {
  const { refunded, disputed, tax, fee, unknownFees, videos, frames, frameCost, parcels, parcelCost, labelCost } =
    margin;
  return [
    ...(refunded > 0 ? [{ words: 'Refunded', cents: -refunded }] : []),
    ...(disputed > 0 ? [{ words: 'Reversed by the bank', cents: -disputed }] : []),
    ...(tax > 0 ? [{ words: 'Sales tax to pay', cents: -tax }] : []),
    { words: 'Payment provider’s fee', cents: unknownFees > 0 ? 'not known yet' : -fee },
    ...videos.map((it) => ({
      words: `${countText(it.videos, 'video')} by the ${makerLabel(it.animator)}, ${formatDollars(Math.round(it.amount / it.videos))} each`,
      cents: -it.amount,
    })),
    ...(videos.length === 0 ? [{ words: 'Videos, at no cost', cents: 0 }] : []),
    ...(frames > 0
      ? [{ words: countText(frames, 'frame'), cents: frameCost === null ? ('not set' as const) : -frameCost }]
      : []),
    ...(parcels > 0 || labelCost > 0
      ? [
          {
            words: labelCost > 0 ? 'Package, the price of its label' : 'Package',
            cents: parcelCost === null ? ('not set' as const) : -parcelCost,
          },
        ]
      : []),
  ];
}

function MarginLines({ margin }: { margin: OrderMargin }) {
  const marginLines = createMarginLines(margin);
  const areAllCostsKnown = marginLines.every((it) => typeof it.cents === 'number');
  return (
    <>
      <dl className="space-y-1.5">
        <div className="flex justify-between gap-4">
          <dt>Paid</dt>
          <dd className="tabular-nums">{formatDollars(margin.paid)}</dd>
        </div>
        {marginLines.map(({ words, cents }) => (
          <div key={words} className="flex justify-between gap-4">
            <dt>{words}</dt>
            <dd
              className={
                typeof cents === 'number' ? 'whitespace-nowrap tabular-nums' : 'whitespace-nowrap text-muted italic'
              }
            >
              {typeof cents === 'number' ? formatDollars(cents) : cents}
            </dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 border-t border-hair pt-1.5 font-semibold">
          <dt>{areAllCostsKnown ? 'Profit' : 'Profit so far'}</dt>
          <dd className="tabular-nums">{formatDollars(margin.left)}</dd>
        </div>
      </dl>
      <MissingCosts margin={margin} />
    </>
  );
}

/** Names the missing costs, and says how to set them or when they will be known. */
export function MissingCosts({
  margin,
}: {
  margin: Pick<OrderMargin, 'unknownFees' | 'orders' | 'frameCost' | 'parcelCost'>;
}) {
  const { unknownFees, orders, frameCost, parcelCost } = margin;
  const missingSettings = [...(frameCost === null ? ['a frame'] : []), ...(parcelCost === null ? ['a package'] : [])];
  if (unknownFees === 0 && missingSettings.length === 0) return null;
  return (
    <div className="mt-3 space-y-1 text-sm text-muted">
      {unknownFees > 0 && (
        <p>
          {orders === 1 ? 'We check for the fee' : `We check for the fees of ${countText(unknownFees, 'order')}`} every
          minute, then every hour, until the payment provider reports it.
        </p>
      )}
      {missingSettings.length > 0 && (
        <p>
          To include what you pay for {missingSettings.join(' and ')}, enter the cost in{' '}
          <Link to="/admin?tab=settings" preload={false} className="link">
            Settings
          </Link>
          .
        </p>
      )}
    </div>
  );
}
