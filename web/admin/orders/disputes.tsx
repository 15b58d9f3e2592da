import { Landmark, ShieldAlert } from 'lucide-react';
import { shortMomentWords } from '#contract/calendar.ts';
import type { AdminDispute, AdminOrder } from '#contract/owner/orders.ts';
import { money } from '#contract/catalog.ts';
import { Badge, Notice } from '../../ui/surfaces.tsx';

const states: Record<string, string> = {
  warning_needs_response: 'the bank asks about it',
  warning_under_review: 'the bank looks at your answer',
  warning_closed: 'the bank’s question is closed',
  needs_response: 'waiting for your answer',
  under_review: 'the bank looks at your answer',
  won: 'won, the money is yours',
  lost: 'lost, the money is the customer’s',
  prevented: 'prevented',
};
const spoken = (word: string) => word.replaceAll('_', ' ');

/** What a customer's bank has taken back or asks about. */
export const Disputes = ({ disputes }: { disputes: AdminDispute[] }) => (
  <>
    {disputes.map((dispute) => (
      <Dispute key={dispute.id} dispute={dispute} />
    ))}
  </>
);

function Dispute({ dispute: { amount, reason, status, isOpen, respondBy, createdAt } }: { dispute: AdminDispute }) {
  const waits = status.endsWith('needs_response');
  return (
    <Notice
      tone={isOpen ? 'bad' : status === 'lost' ? 'warn' : 'neutral'}
      title={`${isOpen ? 'Payment disputed' : 'Dispute closed'}: ${money(amount)}`}
      className="mt-4"
    >
      <p>
        Reason: {spoken(reason)}. State: {states[status] ?? spoken(status)}. Since {shortMomentWords(createdAt)}.
      </p>
      {isOpen && waits && (
        <p className="mt-1 font-semibold">
          Answer at the payment provider{respondBy ? ` by ${shortMomentWords(respondBy)}` : ' in time'}; without an
          answer the money is lost.
        </p>
      )}
      {isOpen && <p className="mt-1">Production was not stopped. Think before you ship.</p>}
    </Notice>
  );
}

/** A dispute often follows within days; refunded by then, it does not. */
const isWarned = ({ fraudWarnings, disputes, refundedAmount, totalAmount }: AdminOrder) =>
  fraudWarnings.length > 0 && disputes.length === 0 && refundedAmount < totalAmount;

/** What the card's issuer thinks of the payment, and what to do about it. */
export function FraudWarnings({ order }: { order: AdminOrder }) {
  const [first] = order.fraudWarnings;
  if (!first) return null;
  const isOpen = isWarned(order);
  return (
    <Notice tone={isOpen ? 'bad' : 'neutral'} title="The card’s issuer suspects fraud" className="mt-4">
      <p>
        Reason: {spoken(first.fraudType)}. Since {shortMomentWords(first.createdAt)}.
      </p>
      {isOpen ? (
        <p className="mt-1 font-semibold">
          Refunding the whole order now avoids a chargeback and its fee. Do not ship before you have decided.
        </p>
      ) : (
        <p className="mt-1">
          {order.disputes.length > 0
            ? 'It has come to a dispute.'
            : 'Everything was given back: there is nothing to do.'}
        </p>
      )}
    </Notice>
  );
}

/** What is unusual about an order's money, for lists. */
export function MoneyBadges({ order }: { order: AdminOrder }) {
  const { disputes, refundedAmount, totalAmount } = order;
  return (
    <>
      {isWarned(order) && (
        <Badge tone="bad">
          <ShieldAlert aria-hidden className="size-4" />
          Fraud warning
        </Badge>
      )}
      {disputes.some((it) => it.isOpen) && (
        <Badge tone="bad">
          <Landmark aria-hidden className="size-4" />
          Disputed
        </Badge>
      )}
      {disputes.some((it) => it.status === 'lost') && <Badge tone="warn">Dispute lost</Badge>}
      {refundedAmount > 0 && (
        <Badge className="whitespace-nowrap">{refundedAmount === totalAmount ? 'Refunded' : 'Part refunded'}</Badge>
      )}
    </>
  );
}
