import { useQuery } from '@tanstack/react-query';
import { formatDollars } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import { Panel } from '../panel.tsx';
import { owedQuery } from './owed-query.ts';

/** The balances of all active gift cards. The shop owes this sum until it is spent. */
export function OwedGiftCardAmount() {
  const { data } = useQuery(owedQuery());
  return (
    <Panel title="Gift cards owed">
      <p className="text-xl font-semibold tabular-nums">{data ? formatDollars(data.owedAmount) : '–'}</p>
      <p className="mt-1 text-sm text-muted">
        Selling a gift card is not revenue. Orders paid with it are.
        {data && data.cards > 0 && ` ${countText(data.cards, 'card')} with money left.`}
      </p>
    </Panel>
  );
}
