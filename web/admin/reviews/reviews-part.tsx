import { useQuery } from '@tanstack/react-query';
import { Check, EyeOff, MessageSquare, Star } from 'lucide-react';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { ProductId } from '#contract/catalog.ts';
import type { AdminReview } from '#contract/owner/reviews.ts';
import { query } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Stars } from '../../ui/stars.tsx';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { List } from '../list/list.tsx';
import { listQueryOf, listPageOptions } from '../list/list-query.ts';
import type { AdminSearch, OnSearch } from '../search.ts';
import { AnswerDialog, HideDialog } from './review-dialogs.tsx';
import { useApproveReview } from './use-review-actions.ts';

const reviewFilter = {
  label: 'Show',
  all: 'All reviews',
  options: [
    { value: 'waiting', label: 'To read' },
    { value: 'approved', label: 'Published' },
    { value: 'hidden', label: 'Hidden' },
  ],
};
const sorts = [
  { value: 'turn', label: 'Unread first' },
  { value: '-turn', label: 'Unread last' },
] as const;
const productLabels: Record<ProductId, string> = {
  kinframe: 'Kinframe',
  'photo2video-10': 'Photo package',
  byof: 'Bring Your Own Frame',
};
const badgeByState = {
  waiting: { label: 'To read', tone: 'warn' },
  approved: { label: 'Published', tone: 'good' },
  hidden: { label: 'Hidden', tone: 'neutral' },
} as const;

/**
 * The reviews of buyers. By default, reviews that wait for approval come first. The owner can approve, hide and answer
 * reviews.
 */
export function ReviewsPart({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const page = useQuery({
    ...query('/api/admin/lists/reviews', { query: { ...listQueryOf(search), limit: 30 } }),
    ...listPageOptions,
  });
  return (
    <List
      nouns={['review', 'reviews']}
      page={page}
      search={search}
      onSearch={onSearch}
      searchLabel="Search words, name or order number"
      filter={reviewFilter}
      sorts={sorts}
      hasHeadings={false}
      empty={{
        icon: Star,
        title: 'No reviews yet',
        words: 'We email each buyer to ask for a review two weeks after everything has arrived.',
      }}
      skeleton={<Skeleton className="h-64 rounded-lg" />}
    >
      {(rows) => (
        <ul className="grid gap-3 xl:grid-cols-2">
          {rows.map((review) => (
            <li key={review.id} className="min-w-0">
              <ReviewCard review={review} />
            </li>
          ))}
        </ul>
      )}
    </List>
  );
}

function ReviewCard({ review }: { review: AdminReview }) {
  const { orderId, orderNumber, productId, state, stars, words, name, writtenAt, film, reason, answer } = review;
  const { approve, isBusy } = useApproveReview(review);
  const [open, setOpen] = useState<'hide' | 'answer'>();
  const close = () => setOpen(undefined);
  const { label, tone } = badgeByState[state];
  return (
    <article
      aria-label={`Review by ${name}`}
      className="flex h-full flex-col gap-3 rounded-lg border border-hair bg-card p-4"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-muted">
        <Badge tone={tone}>{label}</Badge>
        <time dateTime={writtenAt}>{shortMomentText(writtenAt)}</time>
      </header>
      <p className="flex flex-wrap items-center gap-x-3">
        <Stars value={stars} className="text-lg" />
        <span className="sr-only">{stars} of 5 stars</span>
        <span className="font-semibold">{productLabels[productId]}</span>
      </p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{words}</p>
      <p className="text-[0.9375rem] [overflow-wrap:anywhere] text-muted">
        {name} ·{' '}
        <Link to={`/admin?tab=orders&order=${orderId}`} className="link">
          {orderNumber}
        </Link>
      </p>
      {film && (
        <figure className="max-w-sm">
          <video
            src={film.videoUrl}
            poster={film.posterUrl}
            aria-label={`The video that ${name} shows`}
            controls
            muted
            loop
            playsInline
            preload="none"
            className="aspect-8/5 w-full rounded-md bg-night object-cover"
          >
            Your browser does not support the video tag.
          </video>
          <figcaption className="mt-1.5 text-sm text-muted">The customer agreed that anyone can watch it</figcaption>
        </figure>
      )}
      {reason !== null && (
        <p className="rounded-md bg-linen p-3 text-[0.9375rem] whitespace-pre-line [overflow-wrap:anywhere]">
          <span className="font-semibold">Why it’s hidden: </span>
          {reason}
        </p>
      )}
      {answer !== null && (
        <p className="border-l-2 border-accent pl-3 text-[0.9375rem] whitespace-pre-line [overflow-wrap:anywhere]">
          <span className="font-semibold">Your answer: </span>
          {answer}
        </p>
      )}
      <div className="mt-auto flex flex-wrap gap-2 pt-1">
        {state !== 'approved' && (
          <Button size="small" busy={isBusy} onClick={() => void approve()}>
            <Check aria-hidden className="size-4.5" />
            {state === 'hidden' ? 'Show it' : 'Approve'}
          </Button>
        )}
        {state !== 'hidden' && (
          <Button size="small" look="secondary" onClick={() => setOpen('hide')}>
            <EyeOff aria-hidden className="size-4.5" />
            Hide...
          </Button>
        )}
        <Button size="small" look="secondary" onClick={() => setOpen('answer')}>
          <MessageSquare aria-hidden className="size-4.5" />
          {answer === null ? 'Answer...' : 'Change answer...'}
        </Button>
      </div>
      {open === 'hide' && <HideDialog review={review} onClose={close} />}
      {open === 'answer' && <AnswerDialog review={review} onClose={close} />}
    </article>
  );
}
