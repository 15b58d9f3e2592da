import { Landmark, ShieldAlert } from 'lucide-react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminDispute, AdminOrder } from '#contract/owner/orders.ts';
import { formatDollars } from '#contract/catalog.ts';
import { Badge, Notice } from '../../ui/surfaces.tsx';

const states: Record<string, string> = {
  warning_needs_response: 'the bank has a question',
  warning_under_review: 'the bank is reviewing your response',
  warning_closed: 'the bank closed its inquiry',
  needs_response: 'waiting for your response',
  under_review: 'the bank is reviewing your response',
  won: 'won, you keep the money',
  lost: 'lost, the customer gets the money',
  prevented: 'prevented',
};
const makeReasonReadable = (word: string) => word.replaceAll('_', ' ');

/** The disputes of an order. In a dispute, the customer's bank takes the money back or asks for evidence. */
export const Disputes = ({ disputes }: { disputes: AdminDispute[] }) => (
  <>
    {disputes.map((dispute) => (
      <Dispute key={dispute.id} dispute={dispute} />
    ))}
  </>
);

function Dispute({ dispute: { amount, reason, status, isOpen, respondBy, createdAt } }: { dispute: AdminDispute }) {
  const needsResponse = status.endsWith('needs_response');
  return (
    <Notice
      tone={isOpen ? 'bad' : status === 'lost' ? 'warn' : 'neutral'}
      title={`${isOpen ? 'Payment disputed' : 'Dispute closed'}: ${formatDollars(amount)}`}
      className="mt-4"
    >
      <p>
        Reason: {makeReasonReadable(reason)}. Status: {states[status] ?? makeReasonReadable(status)}. Since{' '}
        {shortMomentText(createdAt)}.
      </p>
      {isOpen && needsResponse && (
        <p className="mt-1 font-semibold">
          Respond at the payment provider{respondBy ? ` by ${shortMomentText(respondBy)}` : ' in time'}. If you don’t,
          you’ll lose the money.
        </p>
      )}
      {isOpen && <p className="mt-1">The videos are still being made. Decide how to respond before you ship.</p>}
    </Notice>
  );
}

/** Whether to warn about fraud. After a fraud warning, a dispute often follows. A full refund prevents the dispute. */
const needsFraudWarning = ({ fraudWarnings, disputes, refundedAmount, totalAmount }: AdminOrder) =>
  fraudWarnings.length > 0 && disputes.length === 0 && refundedAmount < totalAmount;

/** The fraud warnings of the card's issuer, and what to do about them. */
export function FraudWarnings({ order }: { order: AdminOrder }) {
  const [first] = order.fraudWarnings;
  if (!first) return null;
  const isRefundAdvised = needsFraudWarning(order);
  return (
    <Notice tone={isRefundAdvised ? 'bad' : 'neutral'} title="The card’s issuer suspects fraud" className="mt-4">
      <p>
        Reason: {makeReasonReadable(first.fraudType)}. Since {shortMomentText(first.createdAt)}.
      </p>
      {isRefundAdvised ? (
        <p className="mt-1 font-semibold">
          Refunding the whole order now avoids a chargeback and its fee. Please don’t ship until you’ve decided.
        </p>
      ) : (
        <p className="mt-1">
          {order.disputes.length > 0
            ? 'This turned into a dispute.'
            : 'Everything was refunded. You don’t need to do anything.'}
        </p>
      )}
    </Notice>
  );
}

/** Badges for lists: fraud warnings, disputes and refunds of an order. */
export function MoneyBadges({ order }: { order: AdminOrder }) {
  const { disputes, refundedAmount, totalAmount } = order;
  return (
    <>
      {needsFraudWarning(order) && (
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
        <Badge className="whitespace-nowrap">{refundedAmount === totalAmount ? 'Refunded' : 'Partly refunded'}</Badge>
      )}
    </>
  );
}
