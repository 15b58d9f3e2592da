import { useQuery } from '@tanstack/react-query';
import { Ban, Gift, Mail } from 'lucide-react';
import { useState } from 'react';
import { shortDayText, shortMomentText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import type { AdminGiftCard } from '#contract/owner/gift-cards.ts';
import { query } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { List } from '../list/list.tsx';
import { listQueryOf, listPageOptions } from '../list/list-query.ts';
import type { AdminSearch, OnSearch } from '../search.ts';
import { ResendDialog, VoidDialog } from './gift-card-dialogs.tsx';
import { OwedGiftCardAmount } from './owed-amount.tsx';

const cardFilter = {
  label: 'Show',
  all: 'All gift cards',
  options: [
    { value: 'active', label: 'Active' },
    { value: 'void', label: 'Voided' },
  ],
};
const sorts = [
  { value: '-date', label: 'Newest first' },
  { value: 'date', label: 'Oldest first' },
] as const;

/** The sold gift cards and what the shop owes on them. */
export function GiftCardsPart({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const page = useQuery({
    ...query('/api/admin/lists/gift-cards', { query: { ...listQueryOf(search), limit: 30 } }),
    ...listPageOptions,
  });
  return (
    <div className="space-y-6">
      <OwedGiftCardAmount />
      <List
        nouns={['gift card', 'gift cards']}
        page={page}
        search={search}
        onSearch={onSearch}
        searchLabel="Search number, name, email or last four"
        filter={cardFilter}
        sorts={sorts}
        hasHeadings={false}
        empty={{
          icon: Gift,
          title: 'No gift cards yet',
          words: 'Sold gift cards show up here. The page that sells them is in the footer of the shop.',
        }}
        skeleton={<Skeleton className="h-64 rounded-lg" />}
      >
        {(rows) => (
          <ul className="grid gap-3 xl:grid-cols-2">
            {rows.map((card) => (
              <li key={card.id} className="min-w-0">
                <GiftCardRow card={card} />
              </li>
            ))}
          </ul>
        )}
      </List>
    </div>
  );
}

function GiftCardRow({ card }: { card: AdminGiftCard }) {
  const { number, isForFrame, amount, balance, state, lastFour, recipientName, recipientEmail, senderName } = card;
  const { buyerEmail, deliverOn, sentAt, soldAt, voidedAt } = card;
  const [open, setOpen] = useState<'resend' | 'void'>();
  const close = () => setOpen(undefined);
  const isUsedUp = state === 'active' && balance === 0;
  return (
    <article
      aria-label={`Gift card ${number}`}
      className="flex h-full flex-col gap-2 rounded-lg border border-hair bg-card p-4"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-muted">
        <Badge tone={state === 'void' ? 'bad' : isUsedUp ? 'neutral' : 'good'}>
          {state === 'void' ? 'Voided' : isUsedUp ? 'Used up' : balance < amount ? 'Used in part' : 'Unused'}
        </Badge>
        <time dateTime={soldAt}>Sold {shortMomentText(soldAt)}</time>
      </header>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-lg font-semibold tabular-nums">
          {formatDollars(balance)} <span className="text-base font-normal text-muted">of {formatDollars(amount)}</span>
          {isForFrame && <span className="text-base font-normal text-muted"> (a Kinframe)</span>}
        </span>
        <span className="text-muted tabular-nums">
          {number}
          {lastFour && `, code ends in ${lastFour}`}
        </span>
      </p>
      <p className="text-[0.9375rem] [overflow-wrap:anywhere] text-muted">
        For {recipientName || 'no longer kept'}
        {recipientEmail && ` (${recipientEmail})`}, from {senderName || 'no longer kept'}
        {buyerEmail && ` (${buyerEmail})`}
      </p>
      <p className="text-[0.9375rem] text-muted">
        {voidedAt
          ? `Voided ${shortMomentText(voidedAt)}`
          : sentAt
            ? `Emailed ${shortMomentText(sentAt)}`
            : deliverOn
              ? `Will be emailed on ${shortDayText(deliverOn)}`
              : 'The buyer prints it'}
      </p>
      {state === 'active' && (
        <div className="mt-auto flex flex-wrap gap-2 pt-1">
          <Button size="small" look="secondary" onClick={() => setOpen('resend')}>
            <Mail aria-hidden className="size-4.5" />
            {sentAt || !deliverOn ? 'Send a new code...' : 'Send now...'}
          </Button>
          <Button size="small" look="secondary" onClick={() => setOpen('void')}>
            <Ban aria-hidden className="size-4.5" />
            Void...
          </Button>
        </div>
      )}
      {open === 'resend' && <ResendDialog card={card} onClose={close} />}
      {open === 'void' && <VoidDialog card={card} onClose={close} />}
    </article>
  );
}
