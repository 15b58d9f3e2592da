import { CheckCheck, ChevronDown, Clock, Eye } from 'lucide-react';
import { useId, useState } from 'react';
import type { AdminVideo } from '#contract/owner/production.ts';
import { countText } from '#contract/count-text.ts';
import { Button } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Badge, ProgressBar } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { countVideos, type ProductionFrame, proofText } from './production-rules.ts';
import { compareWithPromisedTime } from './promise-clock.ts';
import { useVideoActions, type VideoActions } from './use-video-actions.ts';
import { VideoReview } from './video-review.tsx';
import { VideoTile } from './video-tile.tsx';

interface Props {
  frame: ProductionFrame & { finalizedAt: string };
  now: number;
}

/** One frame in production: its time compared with the promised time, and its videos with their actions. */
export function FrameVideos({ frame, now }: Props) {
  const actions = useVideoActions();
  const [reviewedId, setReviewedId] = useState<string>();
  /** Whether the videos are visible. A delivered frame needs no more work, so it is collapsed at first. */
  const [isOpen, setIsOpen] = useState(frame.videosReadyAt === null);
  const listId = useId();
  const { videos, finalizedAt, videosReadyAt } = frame;
  const counts = countVideos(videos);
  const promisedTimeStatus = compareWithPromisedTime({ finalizedAt, videosReadyAt, now });
  const countTexts = [
    `${counts.approved} of ${counts.total} approved`,
    counts.toReview > 0 && `${counts.toReview} to review`,
    counts.underWay > 0 && `${counts.underWay} in progress`,
    counts.failed > 0 && `${counts.failed} failed`,
  ].filter(Boolean);
  return (
    <div role="group" aria-label={frame.name} className="px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h5 className="font-sans text-base font-semibold tracking-normal">{frame.name}</h5>
        <Badge tone={promisedTimeStatus.tone}>
          <Clock aria-hidden className="size-3.5" />
          {promisedTimeStatus.words}
        </Badge>
        {frame.proof && (
          <Badge tone="accent">
            <Eye aria-hidden className="size-3.5" />
            {proofText(frame.proof)}
          </Badge>
        )}
        <p className="min-w-0 flex-1 basis-48 text-[0.9375rem] text-muted">{countTexts.join(' · ')}</p>
        <Button
          look="quiet"
          size="small"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-label={`${isOpen ? 'Hide' : 'Show'} videos of ${frame.name}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          <ChevronDown aria-hidden className={joinClassNames('size-5 transition-transform', isOpen && 'rotate-180')} />
          {isOpen ? 'Hide' : 'Show'}
        </Button>
        <ApproveAllButton frame={frame} waiting={videos.filter((it) => it.state === 'rendered')} actions={actions} />
      </div>
      <ProgressBar
        value={counts.total === 0 ? 0 : counts.approved / counts.total}
        label={`Approved videos of ${frame.name}`}
        className="mt-3"
      />
      <ul
        id={listId}
        hidden={!isOpen}
        className="mt-4 grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 2xl:grid-cols-5 [&[hidden]]:hidden"
      >
        {videos.map((video) => (
          <li key={video.id}>
            <VideoTile
              video={video}
              hasProof={frame.proof !== null}
              actions={actions}
              onReview={() => setReviewedId(video.id)}
            />
          </li>
        ))}
      </ul>
      <VideoReview videos={videos} reviewedId={reviewedId} onReview={setReviewedId} actions={actions} />
    </div>
  );
}

function ApproveAllButton(props: { frame: ProductionFrame; waiting: AdminVideo[]; actions: VideoActions }) {
  const { frame, waiting, actions } = props;
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const [done, setDone] = useState(0);
  const willAllBeApproved = waiting.length + countVideos(frame.videos).approved === frame.videos.length;
  if (waiting.length === 0 && !isDialogOpen) return null;
  return (
    <>
      <Button size="small" look="secondary" onClick={() => setIsDialogOpen(true)}>
        <CheckCheck aria-hidden className="size-4.5" />
        Approve all
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setIsDialogOpen}
        title={`Approve ${countText(waiting.length, 'video')} of ${frame.name}?`}
        description={
          willAllBeApproved
            ? 'This approves all videos for this frame, and we’ll email the customer.'
            : 'We’ll email the customer once the other videos are approved, too.'
        }
        confirmLabel="Approve all"
        busyLabel={`${done} approved...`}
        onConfirm={async () => {
          setDone(0);
          if (!(await actions.approveAll(waiting, setDone))) throw new Error('We couldn’t approve some videos');
          toast({
            title: 'Videos approved',
            description: willAllBeApproved ? `${frame.name} is complete. We’re emailing the customer.` : undefined,
          });
        }}
      />
    </>
  );
}
