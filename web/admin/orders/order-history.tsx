import { useQuery } from '@tanstack/react-query';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { uncachedQueryOptions } from '../session.ts';
import { mailsQuery } from './order-mails.tsx';
import { OrderPanelSection } from './order-panel-section.tsx';

/** All events of an order, including sent emails, newest first. */
export function OrderHistory({ order }: { order: AdminOrder }) {
  const { data: mails = [] } = useQuery({ ...mailsQuery(order.id), ...uncachedQueryOptions });
  const sentMails = mails.flatMap(({ name, to, sentAt: at }) =>
    at ? [{ words: `Email sent to ${to}: ${name}.`, at }] : [],
  );
  const historyEntries = [...order.events, ...sentMails].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return (
    <OrderPanelSection title="History">
      {historyEntries.length === 0 && <p className="text-muted">Nothing here yet.</p>}
      <ol className="space-y-2.5">
        {historyEntries.map(({ words, at }) => (
          <li key={`${at} ${words}`} className="border-l-2 border-clay pl-3">
            <p className="wrap-anywhere">{words}</p>
            <p className="text-sm text-muted">{shortMomentText(at)}</p>
          </li>
        ))}
      </ol>
    </OrderPanelSection>
  );
}
