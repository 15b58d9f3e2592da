import { Landmark } from 'lucide-react';
import type { AdminDispute, AdminOrder } from '#contract/admin.ts';
import { money } from '#contract/catalog.ts';
import { Badge, Notice } from '../../ui/surfaces.tsx';
import { moment } from '../words.ts';

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
        Reason: {spoken(reason)}. State: {states[status] ?? spoken(status)}. Since {moment(createdAt)}.
      </p>
      {isOpen && waits && (
        <p className="mt-1 font-semibold">
          Answer at the payment provider{respondBy ? ` by ${moment(respondBy)}` : ' in time'}; without an answer the
          money is lost.
        </p>
      )}
      {isOpen && <p className="mt-1">Production was not stopped. Think before you ship.</p>}
    </Notice>
  );
}

/** What is unusual about an order's money, for lists. */
export function MoneyBadges({ order }: { order: AdminOrder }) {
  const { disputes, refundedAmount, totalAmount } = order;
  return (
    <>
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
