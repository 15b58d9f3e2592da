import { useQuery } from '@tanstack/react-query';
import { Clapperboard, SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ProductionOrder } from '#contract/admin.ts';
import { errorWords } from '../../data/error-words.ts';
import { counted } from '../../account/words.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Badge, EmptyState, Notice, Skeleton } from '../../ui/surfaces.tsx';
import { Filter, SearchBox } from '../list-tools.tsx';
import type { AdminSearch, OnSearch } from '../search.ts';
import { NotLoaded } from '../not-loaded.tsx';
import { fresh, useSessionEndOn } from '../session.ts';
import { useShortcuts } from '../shortcuts.ts';
import { moment } from '../words.ts';
import { FrameVideos } from './frame-videos.tsx';
import type { Show } from '../list-params.ts';
import { hasWork, listProduction } from './production-list.ts';
import { productionQuery } from './production-query.ts';

const pollMs = 2000;
const showOptions: { value: Show; label: string }[] = [
  { value: 'open', label: 'Not delivered' },
  { value: 'review', label: 'To review' },
  { value: 'under-way', label: 'Under way' },
  { value: 'failed', label: 'With failures' },
  { value: 'delivered', label: 'Delivered' },
];

/** Production: what customers have finished, and how far their videos are. */
export function ProductionTab({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const { data, error, refetch } = useQuery({
    ...productionQuery(),
    ...fresh,
    // Only while something moves; never while nobody looks.
    refetchInterval: ({ state }) => (hasWork(state.data) ? pollMs : false),
    refetchOnWindowFocus: ({ state }) => hasWork(state.data),
  });
  useSessionEndOn(error);
  const now = useMinute();
  const searchBox = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => searchBox.current?.focus() });

  const { q, show } = search;
  const listed = listProduction(data ?? [], { q, show });
  if (error && !data) {
    return <NotLoaded title="We could not load the production" error={error} onRetry={refetch} />;
  }
  return (
    <div>
      <h2 className="title-3">Ready for Production</h2>
      <div className="mt-3 flex flex-wrap gap-3">
        <SearchBox
          label="Search number, customer or email"
          value={q}
          onChange={(next) => onSearch({ q: next })}
          inputRef={searchBox}
        />
        <Filter
          label="Show"
          all="All finalized orders"
          value={show}
          options={showOptions}
          onChange={(next) => onSearch({ show: next })}
        />
      </div>
      <p role="status" className="mt-3 text-sm text-muted">
        {data ? `${listed.length} of ${counted(data.length, 'finalized order')}` : 'Loading production...'}
      </p>
      {error && data && (
        <Notice tone="warn" title="This list may be old" className="mt-3">
          {errorWords(error)}
        </Notice>
      )}
      {!data && <Skeleton className="mt-3 h-80 rounded-lg" />}
      <ul className="mt-3 space-y-5">
        {listed.map((order) => (
          <li key={order.id}>
            <Order order={order} now={now} />
          </li>
        ))}
      </ul>
      {data?.length === 0 && (
        <EmptyState icon={<Clapperboard aria-hidden className="size-7" />} title="Nothing to produce">
          An order appears here when its customer says that their photos are done.
        </EmptyState>
      )}
      {data && data.length > 0 && listed.length === 0 && (
        <EmptyState
          icon={<SearchX aria-hidden className="size-7" />}
          title="No order matches"
          action={
            <Button look="secondary" onClick={() => onSearch({ q: undefined, show: undefined })}>
              Show all finalized orders
            </Button>
          }
        >
          Nothing is in this state right now.
        </EmptyState>
      )}
    </div>
  );
}

function Order({ order, now }: { order: ProductionOrder; now: number }) {
  return (
    <article className="rounded-lg border border-hair bg-card">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-hair px-4 py-3 sm:px-5">
        <h3 className="text-xl">
          <Link
            to={`/admin?tab=orders&order=${order.id}`}
            className="inline-flex min-h-11 items-center text-accent-deep hover:underline"
          >
            {order.orderNumber}
          </Link>
        </h3>
        {order.isDisputed && <Badge tone="bad">Payment disputed</Badge>}
        <p className="min-w-0 flex-1 text-[0.9375rem]">
          {order.customerName} <span className="break-all text-muted">{order.customerEmail}</span>
        </p>
        <p className="text-[0.9375rem] text-muted">
          {counted(order.photoCount, 'photo')} · {counted(order.deviceCount, 'frame')} · finalized{' '}
          {moment(order.finalizedAt)}
        </p>
      </header>
      <div className="divide-y divide-hair">
        {order.frames.map((frame) =>
          frame.finalizedAt === null ? (
            <p key={frame.id} className="flex flex-wrap items-center gap-3 px-4 py-3 text-[0.9375rem] sm:px-5">
              <span className="font-semibold">{frame.name}</span>
              <Badge>Waiting for the customer's photos</Badge>
            </p>
          ) : (
            <FrameVideos key={frame.id} frame={{ ...frame, finalizedAt: frame.finalizedAt }} now={now} />
          ),
        )}
      </div>
    </article>
  );
}

/** The present moment, for clocks that show minutes. */
function useMinute() {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
