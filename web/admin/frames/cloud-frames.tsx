import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Frame, MonitorPlay, QrCode as QrIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { CloudFrame } from '#contract/owner/frames.ts';
import { countText } from '#contract/count-text.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { List } from '../list/list.tsx';
import { listQueryOf, changeCachedRows, listPageOptions, refreshList } from '../list/list-query.ts';
import type { AdminSearch, OnSearch } from '../search.ts';
import { QrPhotoLink } from '../qr-photo-link.tsx';
import { useSessionEnd } from '../session.ts';

const QrCode = lazy(() => import('../../ui/qr-code.tsx').then((it) => ({ default: it.QrCode })));

const frameFilter = {
  label: 'Show',
  all: 'All frames',
  options: [
    { value: 'to-connect', label: 'To connect' },
    { value: 'to-fill', label: 'To fill' },
    { value: 'filled', label: 'Filled' },
  ],
};

const sorts = [
  { value: 'date', label: 'Oldest first' },
  { value: '-date', label: 'Newest first' },
] as const;

/**
 * The list of frames that staff fill with videos by hand, in the cloud service of the frames. Shows how to reach each
 * frame, and whether it is filled.
 */
export function CloudFrames({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const page = useQuery({
    ...query('/api/admin/lists/frames', { query: { ...listQueryOf(search), limit: 30 } }),
    ...listPageOptions,
  });
  return (
    <List
      nouns={['frame', 'frames']}
      page={page}
      search={search}
      onSearch={onSearch}
      searchLabel="Search number, customer or email"
      filter={frameFilter}
      sorts={sorts}
      hasHeadings={false}
      empty={{ icon: Frame, title: 'No frames yet', words: 'Frames show up here when someone orders them.' }}
      skeleton={<Skeleton className="h-64 rounded-lg" />}
    >
      {(rows) => (
        <ul className="grid gap-3 lg:grid-cols-2 2xl:grid-cols-3">
          {rows.map((frame) => (
            <li key={frame.id}>
              <FrameCard frame={frame} />
            </li>
          ))}
        </ul>
      )}
    </List>
  );
}

function FrameCard({ frame }: { frame: CloudFrame }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const [isBusy, setIsBusy] = useState(false);
  const [shown, setShown] = useState<{ title: string; text: string; what: string }>();
  const isConnected = frame.connectionStatus === 'connected';
  const isDelivered = frame.deliveredAt !== null;

  const runWhileBusy = async (act: () => Promise<void>, title: string) => {
    setIsBusy(true);
    try {
      await act();
    } catch (error) {
      toast({ title, description: errorText(error), destructive: true });
      handleSessionEnd(error);
    } finally {
      setIsBusy(false);
    }
  };
  const saveState = (body: { isConnected: boolean; isDelivered: boolean }) =>
    runWhileBusy(async () => {
      const savedFrame = await send('PUT /api/admin/devices/:id/cloud', { params: { id: frame.id }, body });
      changeCachedRows<CloudFrame>(queryClient, 'frames', (row) => (row.id === savedFrame.id ? savedFrame : row));
      void refreshList(queryClient, 'frames');
    }, 'Update Failed');
  const makePlayer = () =>
    runWhileBusy(async () => {
      const { url } = await send('POST /api/admin/devices/:id/player', { params: { id: frame.id } });
      setShown({ title: 'Player link', text: url, what: 'the player’s link' });
    }, 'No link made');

  return (
    <article className="flex h-full flex-col gap-3 rounded-lg border border-hair bg-card p-4">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="font-sans text-base font-semibold tracking-normal">
          {frame.deviceName}{' '}
          <Link to={`/admin?tab=orders&order=${frame.orderId}`} className="link font-normal">
            {frame.orderNumber}
          </Link>
        </h3>
        <CloudBadge frame={frame} />
      </header>
      <p className="text-[0.9375rem] text-muted">
        {frame.customerName} · <span className="wrap-anywhere">{frame.customerEmail}</span> ·{' '}
        {frame.deviceType === 'byof' ? 'their own frame' : 'Kinframe'} · {countText(frame.photoCount, 'photo')}
        {frame.videosReadyAt && ` · videos ready ${shortMomentText(frame.videosReadyAt)}`}
        {frame.deliveredAt && ` · on the frame ${shortMomentText(frame.deliveredAt)}`}
      </p>
      {frame.invitationCode ? (
        <p className="flex flex-wrap items-center gap-x-3 rounded-md bg-linen px-3 py-1.5">
          <span className="font-mono break-all select-all">{frame.invitationCode}</span>
          <CopyButton text={frame.invitationCode} what="the invitation code">
            Copy
          </CopyButton>
          <button
            type="button"
            aria-label={`Show the code of ${frame.orderNumber} as QR`}
            onClick={() =>
              setShown({ title: 'Invitation code', text: frame.invitationCode!, what: 'the invitation code' })
            }
            className="inline-flex min-h-11 items-center gap-1.5 font-semibold text-accent-deep underline underline-offset-4"
          >
            <QrIcon aria-hidden className="size-4.5" />
            QR
          </button>
        </p>
      ) : (
        !frame.qrPhotoPath && (
          <p className="text-[0.9375rem] text-muted">The customer hasn’t sent connection details yet.</p>
        )
      )}
      {frame.qrPhotoPath && <QrPhotoLink path={frame.qrPhotoPath} />}
      <div className="mt-auto flex flex-wrap gap-2 pt-1">
        <Button
          size="small"
          look={isConnected ? 'secondary' : 'primary'}
          busy={isBusy}
          disabled={isDelivered}
          title={isDelivered ? 'Videos are on the frame' : undefined}
          onClick={() => void saveState({ isConnected: !isConnected, isDelivered: false })}
        >
          {isConnected ? 'Not connected after all' : 'Mark as connected'}
        </Button>
        <Button
          size="small"
          look={isDelivered ? 'secondary' : 'primary'}
          busy={isBusy}
          disabled={frame.videosReadyAt === null}
          title={frame.videosReadyAt === null ? 'Videos are not ready' : undefined}
          onClick={() => void saveState({ isConnected: true, isDelivered: !isDelivered })}
        >
          {isDelivered ? 'Not delivered after all' : 'Mark as delivered'}
        </Button>
        <Button size="small" look="secondary" busy={isBusy} onClick={() => void makePlayer()}>
          <MonitorPlay aria-hidden className="size-4.5" />
          Player link
        </Button>
      </div>
      {shown && (
        <Dialog open onOpenChange={() => setShown(undefined)} size="small" title={shown.title}>
          <Suspense fallback={<Skeleton className="mx-auto mt-5 size-64" />}>
            <QrCode text={shown.text} label={`QR code of ${shown.what}`} className="mx-auto mt-5 size-64" />
          </Suspense>
          <p className="mt-3 font-mono text-sm break-all select-all">{shown.text}</p>
          <CopyButton text={shown.text} what={shown.what}>
            Copy
          </CopyButton>
        </Dialog>
      )}
    </article>
  );
}

function CloudBadge({ frame }: { frame: CloudFrame }) {
  if (frame.deliveredAt !== null) return <Badge tone="good">Delivered</Badge>;
  if (frame.connectionStatus === 'connected')
    return <Badge tone={frame.videosReadyAt ? 'warn' : 'good'}>{frame.videosReadyAt ? 'To fill' : 'Connected'}</Badge>;
  if (frame.connectionStatus === 'pending') return <Badge tone="warn">To connect</Badge>;
  return <Badge>Not connected</Badge>;
}
