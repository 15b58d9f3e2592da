import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { isOpenReturn, returnReasonTexts, type ReturnState } from '#contract/return-forms.ts';
import type { ReturnView } from '#contract/returns.ts';
import { query } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/surfaces.tsx';
import { refreshList } from '../list/list-query.ts';
import { uncachedQueryOptions, useMayUseArea, useSessionEndOn } from '../session.ts';
import { mailsQuery } from './order-mails.tsx';
import { orderReturnsQuery } from './order-returns-query.ts';
import { OrderPanelSection } from './order-panel-section.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { ReturnDialog, type ReturnAct } from './return-dialog.tsx';

const states: Record<ReturnState, { label: string; tone: 'neutral' | 'good' | 'warn' }> = {
  requested: { label: 'To answer', tone: 'warn' },
  approved: { label: 'Approved', tone: 'neutral' },
  declined: { label: 'Declined', tone: 'neutral' },
  received: { label: 'To refund or replace', tone: 'warn' },
  refunded: { label: 'Refunded', tone: 'good' },
  replaced: { label: 'Replaced', tone: 'good' },
  closed: { label: 'Ended', tone: 'neutral' },
  withdrawn: { label: 'Withdrawn by the customer', tone: 'neutral' },
};

/** The returns of an order, with the buttons for their next steps. Empty if there are none. */
export function Returns({ order }: { order: AdminOrder }) {
  const queryClient = useQueryClient();
  const { data, error } = useQuery({ ...orderReturnsQuery(order.id), ...uncachedQueryOptions });
  useSessionEndOn(error);
  const [act, setAct] = useState<{ value: ReturnView; act: ReturnAct | 'refund' }>();
  if (error && !data)
    return (
      <OrderPanelSection title="Returns">
        <p className="text-bad">{errorText(error, 'Failed to load the returns')}</p>
      </OrderPanelSection>
    );
  if (!data || data.length === 0) return null;
  const refetchReturns = () => {
    const staleKeys = [
      orderReturnsQuery(order.id).queryKey,
      query('/api/admin/orders/:id', { params: { id: order.id } }).queryKey,
      mailsQuery(order.id).queryKey,
      query('/api/admin/day-sheet').queryKey,
    ];
    for (const queryKey of staleKeys) void queryClient.invalidateQueries({ queryKey });
    void refreshList(queryClient, 'orders');
  };
  const close = () => {
    setAct(undefined);
    refetchReturns();
  };
  return (
    <OrderPanelSection title="Returns">
      <ul className="divide-y divide-hair">
        {data.map((value) => (
          <ReturnItem key={value.id} value={value} onAct={(chosen) => setAct({ value, act: chosen })} />
        ))}
      </ul>
      {act?.act === 'refund' && <RefundDialog order={order} returnId={act.value.id} onClose={close} />}
      {act && act.act !== 'refund' && (
        <ReturnDialog key={act.value.id} order={order} value={act.value} act={act.act} onClose={close} />
      )}
    </OrderPanelSection>
  );
}

const actionsByState: Partial<Record<ReturnState, { act: ReturnAct | 'refund'; label: string }[]>> = {
  requested: [
    { act: 'approve', label: 'Approve...' },
    { act: 'decline', label: 'Decline...' },
    { act: 'receive', label: 'Package received...' },
    { act: 'refund', label: 'Refund...' },
    { act: 'close', label: 'End...' },
  ],
  approved: [
    { act: 'receive', label: 'Package received...' },
    { act: 'approve', label: 'Change label or answer...' },
    { act: 'refund', label: 'Refund...' },
    { act: 'close', label: 'End...' },
  ],
  received: [
    { act: 'refund', label: 'Refund...' },
    { act: 'close', label: 'Send a replacement or close...' },
  ],
};

function ReturnItem({ value, onAct }: { value: ReturnView; onAct: (act: ReturnAct | 'refund') => void }) {
  const mayUseArea = useMayUseArea();
  const { state, frames, reason, words, photoUrl, requestedAt, answer, labelUrl, labelLink, closingWords } = value;
  const { label, tone } = states[state];
  return (
    <li className="py-3 first:pt-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold">{frames.join(', ')}</span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p>{returnReasonTexts[reason]}</p>
      {words && <p className="mt-1 wrap-anywhere whitespace-pre-line">{words}</p>}
      {photoUrl && (
        <a href={photoUrl} target="_blank" rel="noreferrer" className="mt-2 block w-fit">
          <img
            src={photoUrl}
            alt="Shown by the customer, opens in a new tab"
            width={160}
            height={120}
            className="h-30 w-40 rounded-md bg-clay object-cover"
          />
        </a>
      )}
      <p className="mt-1 text-sm text-muted">Requested {shortMomentText(requestedAt)}</p>
      {answer && <p className="mt-2 border-l-2 border-clay pl-3 wrap-anywhere whitespace-pre-line">{answer}</p>}
      {(labelUrl ?? labelLink) && (
        <p className="mt-1 flex flex-wrap gap-x-4">
          {labelUrl && (
            <a href={labelUrl} target="_blank" rel="noreferrer" className="link">
              Label file
            </a>
          )}
          {labelLink && (
            <a href={labelLink} target="_blank" rel="noreferrer" className="link wrap-anywhere">
              {labelLink}
            </a>
          )}
        </p>
      )}
      {closingWords && (
        <p className="mt-2 border-l-2 border-clay pl-3 wrap-anywhere whitespace-pre-line">{closingWords}</p>
      )}
      <p className="text-sm text-muted">
        {[
          value.answeredAt && `Answered ${shortMomentText(value.answeredAt)}`,
          value.receivedAt && `Received ${shortMomentText(value.receivedAt)}`,
          value.endedAt && `Ended ${shortMomentText(value.endedAt)}`,
          value.refund && !value.refund.isFailed && `${formatDollars(value.refund.amount)} refunded`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {value.refund?.isFailed && (
        <p className="text-sm text-bad">
          The refund of {formatDollars(value.refund.amount)} failed. Please refund it again.
        </p>
      )}
      {isOpenReturn(value) && (
        <div className="mt-3 flex flex-wrap gap-2">
          {actionsByState[state]
            ?.filter(({ act }) => act !== 'refund' || mayUseArea('money'))
            .map(({ act, label: button }, index) => (
              <Button key={act} look={index === 0 ? 'primary' : 'secondary'} size="small" onClick={() => onAct(act)}>
                {button}
              </Button>
            ))}
        </div>
      )}
    </li>
  );
}
