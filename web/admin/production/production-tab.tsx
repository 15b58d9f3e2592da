import { useQuery } from '@tanstack/react-query';
import { Clapperboard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { ProductionOrder } from '#contract/owner/production.ts';
import { query } from '../../data/api.ts';
import { countText } from '#contract/count-text.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { GiftBadge } from '../gift-badge.tsx';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { CloudFrames } from '../frames/cloud-frames.tsx';
import { List } from '../list/list.tsx';
import { listQueryOf, listPageOptions } from '../list/list-query.ts';
import type { AdminSearch, OnSearch } from '../search.ts';
import { FrameVideos } from './frame-videos.tsx';
import { hasWork, isDelivered } from './production-rules.ts';

/** The polling interval. Polling is needed in case live events do not arrive. */
const pollMs = 15_000;
const ordersPerPage = 20;
const orderFilter = {
  label: 'Show',
  all: 'All finalized orders',
  options: [
    { value: 'open', label: 'Not delivered' },
    { value: 'review', label: 'To review' },
    { value: 'under-way', label: 'In progress' },
    { value: 'failed', label: 'With failures' },
    { value: 'delivered', label: 'Delivered' },
  ],
};

const sorts = [
  { value: 'due', label: 'Due soonest first' },
  { value: '-due', label: 'Due soonest last' },
] as const;

/** Production: the videos, and the frames that staff fill with them. */
export function ProductionTab(props: { search: AdminSearch; onSearch: OnSearch }) {
  const { search, onSearch } = props;
  const openView = (view: AdminSearch['view']) =>
    onSearch({ view, q: undefined, filter: undefined, sort: undefined, after: undefined });
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="title-3">{search.view === 'frames' ? 'Frames to fill' : 'Ready for Production'}</h2>
        <div className="flex gap-2">
          <Button
            size="small"
            look={search.view === 'frames' ? 'quiet' : 'secondary'}
            aria-pressed={search.view !== 'frames'}
            onClick={() => openView(undefined)}
          >
            Videos
          </Button>
          <Button
            size="small"
            look={search.view === 'frames' ? 'secondary' : 'quiet'}
            aria-pressed={search.view === 'frames'}
            onClick={() => openView('frames')}
          >
            Frames
          </Button>
        </div>
      </div>
      {search.view === 'frames' ? <CloudFrames {...props} /> : <VideoOrders {...props} />}
    </div>
  );
}

/** The finalized orders and the progress of their videos. By default, sorted by due date. */
function VideoOrders({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const page = useQuery({
    ...query('/api/admin/lists/production-orders', { query: { ...listQueryOf(search), limit: ordersPerPage } }),
    ...listPageOptions,
    // Poll only while a video is being made, and not while the window is in the background.
    refetchInterval: ({ state }) => (hasWork(state.data?.rows) ? pollMs : false),
    refetchOnWindowFocus: ({ state }) => hasWork(state.data?.rows),
  });
  const now = useMinute();
  return (
    <List
      nouns={['finalized order', 'finalized orders']}
      page={page}
      search={search}
      onSearch={onSearch}
      searchLabel="Search number, customer or email"
      filter={orderFilter}
      sorts={sorts}
      hasHeadings={false}
      empty={{
        icon: Clapperboard,
        title: 'Nothing to produce',
        words: 'Orders show up here when customers finalize their photos.',
      }}
      skeleton={<CardsSkeleton />}
    >
      {(rows) => (
        <div className="space-y-10">
          {/* The list has the delivered orders last, or first if it is reversed. */}
          {[...Map.groupBy(rows, isDelivered)].map(([areDelivered, orders]) => (
            <section key={String(areDelivered)} aria-label={areDelivered ? 'Delivered' : 'To do'}>
              <h3 className="mb-3 text-lg font-semibold">{areDelivered ? 'Delivered' : 'To do'}</h3>
              <ul className="space-y-5">
                {orders.map((order) => (
                  <li key={order.id}>
                    <Order order={order} now={now} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </List>
  );
}
function Order({ order, now }: { order: ProductionOrder; now: number }) {
  return (
    <article className="rounded-lg border border-hair bg-card">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-hair px-4 py-3 sm:px-5">
        <h4 className="font-serif text-xl font-medium">
          <Link
            to={`/admin?tab=orders&order=${order.id}`}
            className="inline-flex min-h-11 items-center text-accent-deep hover:underline"
          >
            {order.orderNumber}
          </Link>
        </h4>
        <GiftBadge gift={order.gift} isShipped={order.isShipped} />
        {order.isDisputed && <Badge tone="bad">Payment disputed</Badge>}
        <p className="min-w-0 flex-1 basis-64 text-[0.9375rem]">
          {order.customerName} <span className="wrap-anywhere text-muted">{order.customerEmail}</span>
        </p>
        <p className="text-[0.9375rem] text-muted">
          {countText(order.photoCount, 'photo')} · {countText(order.deviceCount, 'frame')} · finalized{' '}
          {shortMomentText(order.finalizedAt)}
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

/** The current time, updated every minute. */
function useMinute() {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const CardsSkeleton = () => (
  <div className="space-y-5">
    {[0, 1].map((it) => (
      <Skeleton key={it} className="h-80 rounded-lg" />
    ))}
  </div>
);
