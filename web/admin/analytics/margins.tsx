import { useQuery } from '@tanstack/react-query';
import { shortMonthText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import { formatCount } from '#contract/count-text.ts';
import type { MonthMargin, OrderMargin } from '#contract/owner/margins.ts';
import { query } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Skeleton } from '../../ui/surfaces.tsx';
import { MissingCosts } from '../orders/margin.tsx';
import { makerLabel } from '../production/maker-label.ts';
import { uncachedQueryOptions, useSessionEndOn } from '../session.ts';
import { Chart } from './chart.tsx';
import { formatShortDollars } from './dollars.ts';
import { FiguresTable } from './figures-table.tsx';
import { sumOfMargins } from './margin-sums.ts';
import { Panel } from '../panel.tsx';

const legend = [
  { name: 'Profit', className: 'bg-good' },
  { name: 'Costs', className: 'bg-edge' },
  { name: 'Refunds', className: 'bg-warn' },
  { name: 'Tax', className: 'bg-accent' },
];

/** For each month, the margin of the orders that were paid in that month. */
export function Margins() {
  const { data, error } = useQuery({ ...query('/api/analytics/margins'), ...uncachedQueryOptions });
  useSessionEndOn(error);
  return (
    <Panel title="Profit by month of order" legend={data && data.months.length > 0 ? legend : undefined}>
      {error && !data && <p className="text-bad">{errorText(error, 'Failed to calculate the profit')}</p>}
      {!error && !data && <Skeleton className="h-72" />}
      {data?.months.length === 0 && (
        <p className="text-muted">
          No orders in these twelve months. Once an order is paid, you’ll see its profit here.
        </p>
      )}
      {data && data.months.length > 0 && <Months {...data} />}
    </Panel>
  );
}

function Months({ months, isVideoPriceUnknown }: { months: MonthMargin[]; isVideoPriceUnknown: boolean }) {
  const rows = months.map((it) => ({ ...it, key: it.month, name: shortMonthText(`${it.month}-01`) }));
  const total = sumOfMargins(months);
  const points = rows.toReversed().map((it) => ({ ...it, label: it.name }));
  const bestPoint = points.reduce((one, it) => (it.left > one.left ? it : one), points[0]!);
  return (
    <>
      <Chart
        kind="bar"
        words={`Profit by month: ${formatDollars(total.left)} of ${formatDollars(total.paid)} paid. Best month: ${bestPoint.name} (${formatDollars(bestPoint.left)}).`}
        points={points}
        series={[
          { name: 'Profit', color: 'good', values: points.map((it) => it.left) },
          { name: 'Costs', color: 'edge', values: points.map(sumCosts) },
          { name: 'Refunds', color: 'warn', values: points.map((it) => it.refunded + it.disputed) },
          { name: 'Tax', color: 'accent', values: points.map((it) => it.tax) },
        ]}
        format={formatShortDollars}
        room={100_00}
      />
      <div className="-mx-4 mt-5 sm:-mx-5">
        <FiguresTable
          name="Profit by month, as a table"
          first="Month"
          columns={createColumns(total)}
          rows={rows}
          total={total}
        />
      </div>
      <p className="mt-3 text-sm text-muted">
        Everything counts toward the month in which its order was paid, including refunds. We count frames and packages
        at today’s costs, except for orders that were fully refunded before shipping. We don’t count dispute fees and
        payments without an order.
      </p>
      <MissingCosts margin={total} />
      {isVideoPriceUnknown && (
        <p className="mt-1 text-sm text-muted">
          To include what a video costs, set ANIMATOR_PRICE in dollars. Without it, we don’t count videos made by an AI
          model.
        </p>
      )}
    </>
  );
}

const sumVideoCosts = ({ videos }: OrderMargin) => videos.reduce((sum, it) => sum + it.amount, 0);
const sumCosts = (it: OrderMargin) =>
  it.fee + sumVideoCosts(it) + (it.frameCost ?? 0) + (it.parcelCost ?? it.labelCost);
const costText = (cents: number | null) =>
  cents === null ? <i className="text-muted">not set</i> : formatDollars(cents);

/** The columns of the table. Each animator with videos has a column. Disputes have a column only if there are any. */
function createColumns(total: OrderMargin) {
  const animators = total.videos.map((it) => it.animator);
  return [
    { name: 'Paid', of: (it: OrderMargin) => formatDollars(it.paid) },
    { name: 'Profit', of: (it: OrderMargin) => <b className="font-semibold">{formatDollars(it.left)}</b> },
    { name: 'Refunds', of: (it: OrderMargin) => formatDollars(it.refunded) },
    ...(total.disputed > 0 ? [{ name: 'Disputes', of: (it: OrderMargin) => formatDollars(it.disputed) }] : []),
    { name: 'Tax', of: (it: OrderMargin) => formatDollars(it.tax) },
    { name: 'Provider’s fee', of: (it: OrderMargin) => <Fee margin={it} /> },
    ...animators.map((animator) => ({
      name: `Videos, ${makerLabel(animator)}`,
      of: (it: OrderMargin) => formatDollars(it.videos.find((one) => one.animator === animator)?.amount ?? 0),
    })),
    { name: 'Frames', of: (it: OrderMargin) => costText(it.frameCost) },
    { name: 'Shipping', of: (it: OrderMargin) => costText(it.parcelCost) },
    { name: 'Orders', of: (it: OrderMargin) => formatCount(it.orders) },
  ];
}

const Fee = ({ margin: { fee, unknownFees } }: { margin: OrderMargin }) => (
  <>
    {formatDollars(fee)}
    {unknownFees > 0 && (
      <span className="block text-sm font-normal text-muted italic">{formatCount(unknownFees)} not known yet</span>
    )}
  </>
);
