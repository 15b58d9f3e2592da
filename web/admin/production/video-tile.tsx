import { Check, Heart, Play } from 'lucide-react';
import { useState } from 'react';
import type { AdminVideo } from '#contract/owner/production.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, ProgressBar } from '../../ui/surfaces.tsx';
import { KeepEarlierVideo } from './keep-live.tsx';
import { isUnderWay, videoSummaryText } from './production-rules.ts';
import { RedoButton } from './redo.tsx';
import type { VideoActions } from './use-video-actions.ts';

export const stateLabels: Record<
  AdminVideo['state'],
  { label: string; tone: 'neutral' | 'warn' | 'good' | 'bad' | 'accent' }
> = {
  queued: { label: 'Queued', tone: 'neutral' },
  rendering: { label: 'Rendering', tone: 'accent' },
  rendered: { label: 'To review', tone: 'warn' },
  approved: { label: 'Approved', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** One video of a frame: its photo, its state and its actions. */
export function VideoTile(props: {
  video: AdminVideo;
  /** Whether the customer is reviewing the frame's videos (the proof). */
  hasProof: boolean;
  actions: VideoActions;
  onReview: () => void;
}) {
  const { video, hasProof, actions, onReview } = props;
  const [isPlaying, setIsPlaying] = useState(false);
  const { label, tone } = stateLabels[video.state];
  return (
    <article
      aria-label={video.title}
      className="flex h-full flex-col overflow-hidden rounded-md border border-hair bg-paper"
    >
      <button
        type="button"
        disabled={video.videoUrl === null}
        aria-label={video.videoUrl === null ? `${video.title}, not finished` : `Preview ${video.title}`}
        onClick={onReview}
        onPointerEnter={({ pointerType }) => setIsPlaying(pointerType === 'mouse')}
        onPointerLeave={() => setIsPlaying(false)}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setIsPlaying(true)}
        onBlur={() => setIsPlaying(false)}
        className="relative block bg-clay disabled:cursor-default"
      >
        <img
          src={video.posterUrl ?? video.thumbnailUrl}
          alt=""
          width={1280}
          height={800}
          loading="lazy"
          decoding="async"
          className="aspect-[16/10] w-full object-cover"
        />
        {video.videoUrl !== null && isPlaying && (
          <video
            src={video.clipUrl ?? video.videoUrl}
            autoPlay
            muted
            loop
            playsInline
            aria-hidden
            className="pointer-events-none absolute inset-0 size-full object-cover"
          />
        )}
        {video.videoUrl !== null && !isPlaying && (
          <span className="pointer-events-none absolute inset-0 grid place-items-center bg-night/10">
            <span className="grid size-12 place-items-center rounded-full bg-paper/95 text-ink">
              <Play aria-hidden className="ml-0.5 size-5 fill-current" />
            </span>
          </span>
        )}
      </button>
      <div className="flex flex-1 flex-col gap-2.5 p-3 text-[0.9375rem]">
        <div className="flex items-start justify-between gap-2">
          <p className="min-w-0 truncate font-semibold" title={video.title}>
            {video.title}
          </p>
          <Badge tone={tone} className="shrink-0">
            {label}
          </Badge>
        </div>
        <p className="text-sm text-muted">{videoSummaryText(video)}</p>
        {video.standIn && <p className="text-sm break-words text-muted">Made on this computer: {video.standIn}</p>}
        {video.wish && (
          <p className="rounded-sm bg-warn-soft p-2 text-sm break-words">
            The customer wants a different motion: “{video.wish.why}”
          </p>
        )}
        {video.live && (
          <p className="text-sm text-muted">
            Until you approve this one, the customer’s page shows{' '}
            <a href={video.live.videoUrl} target="_blank" rel="noreferrer" className="font-semibold underline">
              the earlier video
            </a>
            .
          </p>
        )}
        {hasProof && video.isKept && (
          <p className="flex items-center gap-1.5 text-sm font-semibold text-good">
            <Heart aria-hidden className="size-4" />
            The customer kept it
          </p>
        )}
        {isUnderWay(video) && (
          <div className="flex items-center gap-3">
            <ProgressBar value={video.progress} label={`Rendering ${video.title}`} />
            <span className="w-10 text-right text-sm tabular-nums">{Math.round(video.progress * 100)}%</span>
          </div>
        )}
        {video.failure && <p className="rounded-sm bg-bad-soft p-2 text-sm break-words text-bad">{video.failure}</p>}
        <div className="mt-auto space-y-2 pt-1">
          {video.state === 'rendered' && (
            <Button
              size="small"
              wide
              busy={actions.isBusy(video.id)}
              aria-label={`Approve ${video.title}`}
              onClick={() => void actions.approve(video)}
            >
              <Check aria-hidden className="size-4.5" />
              Approve
            </Button>
          )}
          <KeepEarlierVideo video={video} actions={actions} />
          <RedoButton video={video} actions={actions} />
        </div>
      </div>
    </article>
  );
}
