import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartNoAxesCombined } from 'lucide-react';
import { type AnalyticsRange, findRangeProblem } from '#contract/analytics-ranges.ts';
import { shortMomentText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import { formatCount as count } from '#contract/count-text.ts';
import type { DaysQuery, PageViewAnalytics, ShopFigures } from '#contract/owner/analytics.ts';
import { query, buildUrl } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';
import { EmptyState, Notice, Skeleton } from '../../ui/surfaces.tsx';
import { OwedGiftCardAmount } from '../gift-cards/owed-amount.tsx';
import { DownloadButtons } from '../list/download-buttons.tsx';
import { LoadErrorNotice } from '../not-loaded.tsx';
import type { AdminSearch, OnSearch } from '../search.ts';
import { uncachedQueryOptions, useMayUseArea, useSessionEndOn } from '../session.ts';
import { CartReminders } from './cart-reminders.tsx';
import { Chart } from './chart.tsx';
import { FiguresTable } from './figures-table.tsx';
import { Funnel } from './funnel.tsx';
import { Margins } from './margins.tsx';
import { MonthFile } from './month-file.tsx';
import { Panel } from '../panel.tsx';
import { SalesTax } from './sales-tax.tsx';
import { formatShortDollars } from './dollars.ts';
import {
  changeText,
  type FigureTotals,
  type Period,
  choosePeriodUnit,
  createPeriods,
  spanText,
  sumFigures,
} from './periods.ts';
import { RangeSwitch } from './range-switch.tsx';

const queryOptions = { ...uncachedQueryOptions, placeholderData: keepPreviousData } as const;

/** Analytics: page views, orders and refunds in the time range that is in the address. */
export default function AnalyticsTab(props: { search: AdminSearch; onSearch: OnSearch }) {
  const mayUseArea = useMayUseArea();
  return mayUseArea('money') ? (
    <AllAnalytics {...props} />
  ) : (
    <PageViewsOnly {...props} hasReminders={mayUseArea('settings')} />
  );
}

/** Page views without money, for roles that may not see it. */
function PageViewsOnly(props: { search: AdminSearch; onSearch: OnSearch; hasReminders: boolean }) {
  const { search, onSearch, hasReminders } = props;
  const { range = '30d', from, to } = search;
  const chosenRange: DaysQuery = range === 'custom' ? { range, from, to } : { range };
  const rangeError = findRangeProblem(chosenRange);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...query('/api/analytics/page-views', { query: chosenRange }),
    ...queryOptions,
    enabled: rangeError === undefined,
  });
  useSessionEndOn(error);
  return (
    <div>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <h2 className="title-3 mt-2">Page views</h2>
        <RangeSwitch
          key={`${range} ${from} ${to}`}
          days={chosenRange}
          shown={undefined}
          onChoose={({ range: next, from: first, to: last }) => onSearch({ range: next, from: first, to: last })}
        />
      </div>
      {rangeError ? (
        <Notice tone="warn" title="This range can’t be shown" className="mt-5">
          {rangeError}
        </Notice>
      ) : data ? (
        <div
          aria-busy={isPlaceholderData}
          className={joinClassNames('mt-5 space-y-5', isPlaceholderData && 'opacity-60')}
        >
          <p className="text-muted">
            {count(data.totalViews)} views of {count(data.uniquePages)} pages.
          </p>
          <div className="grid gap-5 lg:grid-cols-2">
            <Panel title="Views by page">
              <Pages views={data} />
            </Panel>
            <Panel title="Recent activity">
              <RecentActivity views={data} />
            </Panel>
          </div>
          {hasReminders && <CartReminders days={chosenRange} />}
        </div>
      ) : error ? (
        <LoadErrorNotice title="Failed to fetch analytics" error={error} onRetry={refetch} className="mt-5" />
      ) : (
        <Loading />
      )}
    </div>
  );
}

function AllAnalytics({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const { range = '30d', from, to } = search;
  const chosenRange: DaysQuery = range === 'custom' ? { range, from, to } : { range };
  const rangeError = findRangeProblem(chosenRange);
  const isEnabled = rangeError === undefined;
  const views = useQuery({
    ...query('/api/analytics/page-views', { query: chosenRange }),
    ...queryOptions,
    enabled: isEnabled,
  });
  const days = useQuery({
    ...query('/api/analytics/days', { query: chosenRange }),
    ...queryOptions,
    enabled: isEnabled,
  });
  const error = views.error ?? days.error;
  useSessionEndOn(error);
  const choose = ({ range: next, from: first, to: last }: DaysQuery) =>
    onSearch({ range: next, from: first, to: last });
  return (
    <div>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <h2 className="title-3 mt-2">Analytics</h2>
        <RangeSwitch key={`${range} ${from} ${to}`} days={chosenRange} shown={days.data} onChoose={choose} />
      </div>
      {rangeError ? (
        <Notice tone="warn" title="This range can’t be shown" className="mt-5">
          {rangeError}
        </Notice>
      ) : views.data && days.data ? (
        <div
          aria-busy={views.isPlaceholderData || days.isPlaceholderData}
          className={joinClassNames('mt-5', (views.isPlaceholderData || days.isPlaceholderData) && 'opacity-60')}
        >
          {error && (
            <Notice tone="warn" title="These numbers may be out of date" className="mb-5">
              {errorText(error)}
            </Notice>
          )}
          <AnalyticsFigures views={views.data} figures={days.data} days={chosenRange} onChoose={choose} />
          <div className="mt-5 space-y-5">
            <OwedGiftCardAmount />
            <CartReminders days={chosenRange} />
            <SalesTax />
            <MonthFile />
          </div>
        </div>
      ) : error ? (
        <LoadErrorNotice
          title="Failed to fetch analytics"
          error={error}
          onRetry={() => Promise.all([views.refetch(), days.refetch()])}
          className="mt-5"
        />
      ) : (
        <Loading />
      )}
    </div>
  );
}

function AnalyticsFigures(props: {
  views: PageViewAnalytics;
  figures: ShopFigures;
  days: DaysQuery;
  onChoose: (days: DaysQuery) => void;
}) {
  const { views, figures, days, onChoose } = props;
  const { range, before } = figures;
  const periods = createPeriods(figures);
  const total = sumFigures(figures.days);
  if (total.views === 0 && total.orders === 0 && total.refunds === 0)
    return <EmptyNotice range={range} onChoose={onChoose} />;
  const unitOfPeriod = choosePeriodUnit(figures);
  const periodsBefore = createPeriods({ days: before.days, range });
  const viewsBefore = {
    name: 'Before',
    color: 'edge',
    values: periods.map((_, at) => periodsBefore[at]?.views ?? 0),
  } as const;
  return (
    <div className="space-y-5">
      <div>
        <Totals views={views} total={total} before={sumFigures(before.days)} hasViewsBefore={before.hasViews} />
        <p className="mt-2 text-sm text-muted">
          {spanText(figures)}, compared with {spanText(before)}.
        </p>
      </div>
      <div className="grid gap-5 lg:grid-cols-2">
        <Panel title={`Views by ${unitOfPeriod}`} legend={before.hasViews ? viewsLegend : undefined}>
          <Chart
            kind="line"
            words={`Page views by ${unitOfPeriod}: ${count(total.views)} in all${highestFigureText(periods, 'views', count)}.`}
            points={periods}
            series={[
              { name: 'Views', color: 'accent', values: periods.map((it) => it.views) },
              ...(before.hasViews ? [viewsBefore] : []),
            ]}
            format={count}
          />
        </Panel>
        <Panel title={`Revenue and refunds by ${unitOfPeriod}`} legend={moneyLegend}>
          <Chart
            kind="bar"
            words={`Revenue by ${unitOfPeriod}: ${formatDollars(total.revenue)} in all${highestFigureText(periods, 'revenue', formatDollars)}; ${formatDollars(total.refunds)} refunded.`}
            points={periods}
            series={[
              { name: 'Revenue', color: 'good', values: periods.map((it) => it.revenue) },
              { name: 'Refunds', color: 'warn', values: periods.map((it) => -it.refunds) },
            ]}
            format={formatShortDollars}
            room={100_00}
          />
        </Panel>
        <Panel title="From view to delivery">
          <Funnel funnel={figures.funnel} trials={figures.trials} />
        </Panel>
        <Panel title={`Uses of promo codes by ${unitOfPeriod}`}>
          <Codes figures={figures} periods={periods} total={total} by={unitOfPeriod} />
        </Panel>
        <Panel title="Views by page">
          <Pages views={views} />
        </Panel>
        <Panel title="Recent activity">
          <RecentActivity views={views} />
        </Panel>
      </div>
      <AllDaysDialog periods={periods} total={total} by={unitOfPeriod} days={days} />
      <Margins />
    </div>
  );
}

const viewsLegend = [
  { name: 'Views', className: 'bg-accent' },
  { name: 'Before', className: 'bg-edge' },
];
const moneyLegend = [
  { name: 'Revenue', className: 'bg-good' },
  { name: 'Refunds', className: 'bg-warn' },
];

/** The highest value and its day or month, as text: `, most on December 24, 2026 (88)`. Empty if all values are 0. */
function highestFigureText(
  periods: readonly Period[],
  of: keyof FigureTotals,
  format: (value: number) => string,
): string {
  const busiestPeriod = periods.reduce((best, it) => (it[of] > best[of] ? it : best), periods[0]!);
  return busiestPeriod[of] > 0 ? `, most on ${busiestPeriod.name} (${format(busiestPeriod[of])})` : '';
}

function Totals(props: {
  views: PageViewAnalytics;
  total: FigureTotals;
  before: FigureTotals;
  hasViewsBefore: boolean;
}) {
  const { views, total, before, hasViewsBefore } = props;
  const cards = [
    { label: 'Total page views', of: 'views', format: count },
    { label: 'Unique pages', value: views.uniquePages, format: count },
    { label: 'Orders', of: 'orders', format: count },
    { label: 'Revenue', of: 'revenue', format: formatDollars },
    { label: 'Refunds', of: 'refunds', format: formatDollars },
    { label: 'Promo code uses', of: 'codeUses', format: count },
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-hair bg-hair sm:grid-cols-3 xl:grid-cols-6">
      {cards.map((it) => (
        <div key={it.label} className="bg-card px-4 py-3">
          <dt className="text-sm text-muted">{it.label}</dt>
          <dd className="mt-0.5 text-xl font-semibold tabular-nums">
            {it.format('of' in it ? total[it.of] : it.value)}
          </dd>
          {'of' in it && (it.of !== 'views' || hasViewsBefore) && (
            <dd className="text-sm text-muted tabular-nums">{changeText(total[it.of], before[it.of], it.format)}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function Codes(props: { figures: ShopFigures; periods: readonly Period[]; total: FigureTotals; by: string }) {
  const { figures, periods, total, by: unitOfPeriod } = props;
  if (figures.codes.length === 0)
    return (
      <p className="text-muted">
        No codes used yet. To create one, add a promotion with a code and a percentage in Content under Promotions.
        Customers can use it at checkout, and you get a link to share.
      </p>
    );
  return (
    <>
      <Chart
        kind="bar"
        words={`Uses of promo codes by ${unitOfPeriod}: ${count(total.codeUses)} in all${highestFigureText(periods, 'codeUses', count)}.`}
        points={periods}
        series={[{ name: 'Uses', color: 'edge', values: periods.map((it) => it.codeUses) }]}
        format={count}
      />
      <table className="mt-4 w-full text-[0.9375rem]">
        <thead className="text-left text-sm text-muted">
          <tr>
            <th scope="col" className="py-1 font-semibold">
              Code
            </th>
            <th scope="col" className="py-1 pl-4 text-right font-semibold">
              Uses
            </th>
            <th scope="col" className="py-1 pl-4 text-right font-semibold">
              Discount
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-hair">
          {figures.codes.map(({ code, uses, discount }) => (
            <tr key={code}>
              <th scope="row" className="py-1.5 text-left font-normal break-all">
                {code}
              </th>
              <td className="py-1.5 pl-4 text-right tabular-nums">{count(uses)}</td>
              <td className="py-1.5 pl-4 text-right tabular-nums">{formatDollars(discount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The maximum number of rows in the list of pages and in the list of recent views. */
const maxShownPages = 15;
const maxShownViews = 20;

function Pages({ views }: { views: PageViewAnalytics }) {
  const pages = views.viewsByPage.slice(0, maxShownPages);
  const mostViews = pages[0]?.count ?? 0;
  const otherViews = views.totalViews - pages.reduce((sum, it) => sum + it.count, 0);
  if (mostViews === 0) return <p className="text-muted">No page views during this time.</p>;
  return (
    <ol className="space-y-2 text-[0.9375rem]">
      {pages.map(({ pagePath, count: seen }) => (
        <li key={pagePath}>
          <div className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 break-all">{pagePath}</span>
            <span className="tabular-nums">{count(seen)}</span>
          </div>
          <svg
            aria-hidden
            viewBox="0 0 100 1"
            preserveAspectRatio="none"
            className="mt-1 h-1.5 w-full rounded-full bg-linen"
          >
            <rect width={(seen / mostViews) * 100} height="1" className="fill-accent" />
          </svg>
        </li>
      ))}
      {otherViews > 0 && (
        <li className="flex justify-between gap-4 text-muted">
          <span>All other pages</span>
          <span className="tabular-nums">{count(otherViews)}</span>
        </li>
      )}
    </ol>
  );
}

function RecentActivity({ views }: { views: PageViewAnalytics }) {
  const recentViews = views.recentViews.slice(0, maxShownViews);
  if (recentViews.length === 0) return <p className="text-muted">Nothing yet.</p>;
  return (
    <ol className="divide-y divide-hair text-[0.9375rem]">
      {recentViews.map(({ pagePath, referrer, viewedAt }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two views can have the same millisecond
        <li key={`${viewedAt} ${at}`} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
          <span className="min-w-0 break-all">
            {pagePath}
            {referrer !== null && (
              <span className="text-sm text-muted"> from {referrer.replace(/^https?:\/\//, '')}</span>
            )}
          </span>
          <time dateTime={viewedAt} className="text-sm whitespace-nowrap text-muted">
            {shortMomentText(viewedAt)}
          </time>
        </li>
      ))}
    </ol>
  );
}

/** The figures of the charts as a table, to read and copy. */
function AllDaysDialog(props: {
  periods: readonly Period[];
  total: FigureTotals;
  by: 'day' | 'month';
  days: DaysQuery;
}) {
  const { periods, total, by: unitOfPeriod, days } = props;
  const downloadUrlOf = (ending: string) => buildUrl(`/api/analytics/days.${ending}`, { query: days });
  return (
    <details className="rounded-lg border border-hair bg-card">
      <summary className="min-h-11 cursor-pointer px-4 py-3 font-semibold sm:px-5">
        All figures by {unitOfPeriod}, as a table
      </summary>
      <FiguresTable
        name={`Figures by ${unitOfPeriod}`}
        first={unitOfPeriod === 'day' ? 'Day' : 'Month'}
        columns={[
          { name: 'Views', of: (it: FigureTotals) => count(it.views) },
          { name: 'Orders', of: (it) => count(it.orders) },
          { name: 'Revenue', of: (it) => formatDollars(it.revenue) },
          { name: 'Refunds', of: (it) => formatDollars(it.refunds) },
          { name: 'Code uses', of: (it) => count(it.codeUses) },
        ]}
        rows={periods.toReversed()}
        total={total}
      />
      <div className="flex flex-wrap items-center gap-2 border-t border-hair px-4 py-3 sm:px-5">
        <DownloadButtons csv={downloadUrlOf('csv')} xlsx={downloadUrlOf('xlsx')} />
        <p className="text-sm text-muted">Each row has a day and the day it is compared with.</p>
      </div>
    </details>
  );
}

function EmptyNotice({ range, onChoose }: { range: AnalyticsRange; onChoose: (days: DaysQuery) => void }) {
  const isLongest = range === '12m';
  return (
    <EmptyState
      icon={<ChartNoAxesCombined aria-hidden className="size-7" />}
      title={isLongest ? 'No visitors yet' : 'Nothing during this time'}
      action={
        !isLongest && (
          <Button look="secondary" onClick={() => onChoose({ range: '12m' })}>
            Show 12 months
          </Button>
        )
      }
    >
      We count every page that someone opens, without cookies or IP addresses. We don’t count bots or your own visits to
      this panel. Share a link to your shop, and you’ll see the first views here.
    </EmptyState>
  );
}

const Loading = () => (
  <div aria-hidden className="mt-5 space-y-5">
    <Skeleton className="h-40 rounded-lg sm:h-28 xl:h-20" />
    <div className="grid gap-5 lg:grid-cols-2">
      {[0, 1, 2, 3].map((it) => (
        <Skeleton key={it} className="h-72 rounded-lg sm:h-84" />
      ))}
    </div>
  </div>
);
