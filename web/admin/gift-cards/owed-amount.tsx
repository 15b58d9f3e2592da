import { useQuery } from '@tanstack/react-query';
import { formatDollars } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import { Card } from '../../ui/surfaces.tsx';
import { owedQuery } from './owed-query.ts';

/** The balances of all active gift cards. The shop owes this sum until it is spent. */
export function GiftCardsOwed() {
  const { data } = useQuery(owedQuery());
  return (
    <Card className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <div>
        <h3 className="font-sans text-base font-semibold tracking-normal">Gift cards owed</h3>
        <p className="text-[0.9375rem] text-muted">
          Selling a gift card is not revenue. Orders paid with it are.
          {data && data.cards > 0 && ` ${countText(data.cards, 'card')} with money left.`}
        </p>
      </div>
      <p className="font-serif text-3xl font-medium tabular-nums">{data ? formatDollars(data.owedAmount) : '–'}</p>
    </Card>
  );
}
