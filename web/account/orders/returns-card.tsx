import { useQuery, useQueryClient } from '@tanstack/react-query';
import { PackageOpen } from 'lucide-react';
import { useState } from 'react';
import { dayText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import type { OrderDetail } from '#contract/orders.ts';
import { returnReasonTexts, type ReturnState } from '#contract/return-forms.ts';
import type { OrderReturns, ReturnView } from '#contract/returns.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { orderQuery } from '../order-queries.ts';
import { TitledCard } from '../titled-card.tsx';
import { ReturnRequestForm } from './return-form.tsx';

export const returnsQuery = (orderNumber: string) =>
  query('/api/orders/:orderNumber/returns', { params: { orderNumber } });

/**
 * The returns of a shipped order. The link of a receipt gives access only to the order's summary, so its holder is
 * asked to sign in.
 */
export function ReturnsCard({ order, session }: { order: OrderDetail; session: string | undefined }) {
  return (
    <TitledCard icon={PackageOpen} title="Returns">
      {session === undefined ? <OwnReturns orderNumber={order.orderNumber} /> : <SignInNotice order={order} />}
    </TitledCard>
  );
}

function SignInNotice({ order: { orderNumber } }: { order: OrderDetail }) {
  return (
    <>
      <p>
        To return a frame, please sign in to your account. No account yet? Finish your registration with the link in
        your receipt first.
      </p>
      <LinkButton look="secondary" to={paths.signInFor(paths.order(orderNumber))} className="mt-5">
        Sign In
      </LinkButton>
    </>
  );
}

function OwnReturns({ orderNumber }: { orderNumber: string }) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(returnsQuery(orderNumber));
  const [isAsking, setIsAsking] = useState(false);
  if (error && !data)
    return (
      <>
        <p className="text-bad">{errorText(error, 'We couldn’t load your returns')}</p>
        <Button look="secondary" size="small" className="mt-4" onClick={() => void refetch()}>
          Try again
        </Button>
      </>
    );
  if (!data) return <Skeleton className="h-24" />;
  const showChangedReturns = (changed: OrderReturns) => {
    queryClient.setQueryData(returnsQuery(orderNumber).queryKey, changed);
    // The order's history has a new entry.
    void queryClient.invalidateQueries({ queryKey: orderQuery(orderNumber).queryKey });
  };
  return (
    <>
      {data.returns.length > 0 && (
        <ul className="mb-6 divide-y divide-hair">
          {data.returns.map((it) => (
            <ReturnItem key={it.id} value={it} onChange={showChangedReturns} />
          ))}
        </ul>
      )}
      {isAsking ? (
        <ReturnRequestForm
          orderNumber={orderNumber}
          frames={data.frames.filter((it) => !it.isTaken)}
          onSent={(changed) => {
            showChangedReturns(changed);
            setIsAsking(false);
          }}
          onCancel={() => setIsAsking(false)}
        />
      ) : (
        <ReturnRequestOffer returns={data} onAsk={() => setIsAsking(true)} />
      )}
    </>
  );
}

/** Says until when frames can be returned, with a button to do so. If they cannot, says why. */
function ReturnRequestOffer({
  returns: { refusal, lastDay, frames },
  onAsk,
}: {
  returns: OrderReturns;
  onAsk: () => void;
}) {
  if (refusal === 'return-window-over' && lastDay)
    return (
      <p className="text-muted">
        This order could be returned until {dayText(lastDay)}. If something is wrong with the frame, please write to us.
        It has a 1-year limited warranty.
      </p>
    );
  if (refusal === 'nothing-to-refund') return <p className="text-muted">This order was refunded in full.</p>;
  if (refusal !== null || lastDay === null) return null;
  if (frames.every((it) => it.isTaken)) return null;
  return (
    <>
      <p>
        You can return {frames.length === 1 ? 'your frame' : 'your frames'} within 30 days of delivery, until{' '}
        {dayText(lastDay)}. Did it arrive later than we estimated? Then write to us.
      </p>
      <Button look="secondary" className="needs-script mt-5" onClick={onAsk}>
        Return a frame
      </Button>
    </>
  );
}

const badges: Record<ReturnState, { label: string; tone: 'neutral' | 'good' | 'warn' | 'accent' }> = {
  requested: { label: 'Waiting for our answer', tone: 'accent' },
  approved: { label: 'Approved', tone: 'good' },
  declined: { label: 'Declined', tone: 'warn' },
  received: { label: 'Package received', tone: 'good' },
  refunded: { label: 'Refunded', tone: 'good' },
  replaced: { label: 'Replaced', tone: 'good' },
  closed: { label: 'Ended', tone: 'neutral' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
};

function nextStepText({ state, answeredAt, receivedAt, endedAt, refund }: ReturnView): string {
  const dayPhrase = (at: string | null) => (at ? ` on ${dayText(at)}` : '');
  switch (state) {
    case 'requested':
      return 'Please keep the frame until you have our answer. We typically answer by email within 24 hours on business days.';
    case 'approved':
      return `Approved${dayPhrase(answeredAt)}. We’ll email you when the package is here.`;
    case 'declined':
      return `Answered${dayPhrase(answeredAt)}.`;
    case 'received':
      return `Received${dayPhrase(receivedAt)}. If a refund is due, it reaches you within 5-10 business days after that.`;
    case 'refunded':
      return `${refund ? `${formatDollars(refund.amount)} refunded` : 'Refunded'}${dayPhrase(endedAt)}. It usually shows up within 5-10 business days.`;
    case 'replaced':
      return `We’re sending a replacement. This return ended${dayPhrase(endedAt)}.`;
    case 'closed':
      return `This return ended${dayPhrase(endedAt)}.`;
    case 'withdrawn':
      return `You withdrew this return${dayPhrase(endedAt)}.`;
  }
}

function ReturnItem({ value, onChange }: { value: ReturnView; onChange: (changed: OrderReturns) => void }) {
  const { id, state, frames, reason, words, photoUrl, requestedAt, answer, labelUrl, labelLink, closingWords } = value;
  const [isWithdrawing, setIsWithdrawing] = useState(false);
  const handleSessionEnd = useSessionEnd();
  const { label, tone } = badges[state];
  const mayWithdraw = state === 'requested' || state === 'approved';
  const isApproved = state === 'approved';
  const withdraw = async () => {
    try {
      onChange(await send('POST /api/returns/:id/withdraw', { params: { id } }));
      toast({ title: 'Return withdrawn', description: 'You don’t need to send anything back.' });
    } catch (error) {
      toast({ title: 'Not withdrawn', description: errorText(error, 'Please try again.'), destructive: true });
      handleSessionEnd(error);
      throw error;
    }
  };
  return (
    <li className="py-5 first:pt-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold">{frames.join(', ')}</span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="mt-1 text-[0.9375rem] text-muted">
        {returnReasonTexts[reason]}, requested on {dayText(requestedAt)}
      </p>
      {words && <p className="mt-2 wrap-anywhere whitespace-pre-line">{words}</p>}
      {photoUrl && (
        <img
          src={photoUrl}
          alt="What you showed us"
          width={112}
          height={112}
          className="mt-3 size-28 rounded-md bg-clay object-cover"
        />
      )}
      {answer && <Answer words={answer} />}
      {isApproved && (labelUrl ?? labelLink) && (
        <div className="mt-4 flex flex-wrap gap-3">
          {labelUrl && (
            <a
              href={labelUrl}
              target="_blank"
              rel="noreferrer"
              className="link inline-flex min-h-11 items-center font-semibold"
            >
              Open the shipping label
            </a>
          )}
          {labelLink && (
            <a
              href={labelLink}
              target="_blank"
              rel="noreferrer"
              className="link inline-flex min-h-11 items-center font-semibold wrap-anywhere"
            >
              Get the shipping label, opens another site
            </a>
          )}
        </div>
      )}
      {closingWords && <Answer words={closingWords} />}
      <p className="mt-3 text-[0.9375rem] text-muted">{nextStepText(value)}</p>
      {mayWithdraw && (
        <Button look="quiet" size="small" className="needs-script mt-2 -ml-3" onClick={() => setIsWithdrawing(true)}>
          Withdraw this return
        </Button>
      )}
      <ConfirmDialog
        open={isWithdrawing}
        onOpenChange={setIsWithdrawing}
        title="Withdraw this return?"
        description={`You keep ${frames.join(', ')}. ${photoUrl || labelUrl ? 'We delete your photo and the label. ' : ''}If a package is already on its way to us, please don’t withdraw.`}
        confirmLabel="Withdraw"
        busyLabel="Withdrawing..."
        onConfirm={withdraw}
      />
    </li>
  );
}

function Answer({ words }: { words: string }) {
  return (
    <div className="mt-4 rounded-lg bg-linen p-4">
      <p className="text-[0.9375rem] font-semibold">Our answer</p>
      <p className="mt-1 wrap-anywhere whitespace-pre-line">{words}</p>
    </div>
  );
}
