import { formatCount } from '#contract/count-text.ts';
import type { ShopFigures } from '#contract/owner/analytics.ts';
import { percentText } from './periods.ts';

/** The width of a bar in percent. Small values get a minimum width, so that they stay visible. */
const computeBarWidth = (value: number, most: number) => (value === 0 ? 0 : Math.max(0.6, (value / most) * 100));

/** The steps from a page view to delivered videos: the count of each step, and its share of the step before. */
export function Funnel({ funnel, trials }: Pick<ShopFigures, 'funnel' | 'trials'>) {
  const { views, productViews, checkoutViews, paid, finalized, delivered } = funnel;
  const steps = [
    { name: 'Page views', value: views },
    { name: 'Views of a product', value: productViews },
    { name: 'Views of the checkout', value: checkoutViews },
    { name: 'Orders paid', value: paid },
    { name: 'Photos finalized', value: finalized },
    { name: 'Videos delivered', value: delivered },
  ];
  const mostVisitors = Math.max(...steps.map((it) => it.value));
  return (
    <>
      <ol className="space-y-2.5 text-[0.9375rem]">
        {steps.map(({ name, value }, at) => {
          const shareText = at === 0 ? undefined : percentText(value, steps[at - 1]!.value);
          return (
            <li key={name}>
              <div className="flex items-baseline justify-between gap-4">
                <span>{name}</span>
                <span className="tabular-nums">
                  {shareText !== undefined && <span className="mr-3 text-sm text-muted">{shareText}</span>}
                  {formatCount(value)}
                </span>
              </div>
              <svg
                aria-hidden
                viewBox="0 0 100 1"
                preserveAspectRatio="none"
                className="mt-1 h-2.5 w-full rounded-full bg-linen"
              >
                <rect width={computeBarWidth(value, mostVisitors)} height="1" className="fill-accent" />
              </svg>
            </li>
          );
        })}
      </ol>
      <dl className="mt-5 grid grid-cols-2 gap-4 border-t border-hair pt-4 text-[0.9375rem]">
        <div>
          <dt className="text-muted">Free videos</dt>
          <dd className="font-semibold tabular-nums">{formatCount(trials.tried)}</dd>
        </div>
        <div>
          <dt className="text-muted">Orders within a day of a free video</dt>
          <dd className="font-semibold tabular-nums">{formatCount(trials.bought)}</dd>
        </div>
      </dl>
      <p className="mt-4 text-sm text-muted">
        Each percentage compares a step with the one before it. We count views, not people. We count frame and Bring
        Your Own Frame orders paid during this time, with their progress so far.
      </p>
    </>
  );
}
