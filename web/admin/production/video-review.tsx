import { Check, ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { AdminVideo } from '#contract/admin.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Badge } from '../../ui/surfaces.tsx';
import { start } from '../../ui/video-loop.tsx';
import { shortcutsSwitch } from '../shortcuts.ts';
import { motionWords } from './motion-words.ts';
import { Redo } from './redo.tsx';
import type { VideoActions } from './use-video-actions.ts';
import { stateWords } from './video-tile.tsx';

interface Props {
  videos: readonly AdminVideo[];
  reviewedId: string | undefined;
  onReview: (id: string | undefined) => void;
  actions: VideoActions;
}

/** A video beside its photo, and on to the next one that waits for a look. */
export function VideoReview(props: Props) {
  const video = props.videos.find((it) => it.id === props.reviewedId);
  return video && <Reviewed {...props} video={video} />;
}

function Reviewed({ videos, video, onReview, actions }: Props & { video: AdminVideo }) {
  const watchable = videos.filter((it) => it.videoUrl !== null || it.id === video.id);
  const place = watchable.indexOf(video);
  const turn = (by: number) => onReview(watchable.at((place + by) % watchable.length)?.id);
  const approve = async () => {
    if (!(await actions.approve(video))) return;
    const after = [...watchable.slice(place + 1), ...watchable.slice(0, place)];
    onReview(after.find((it) => it.state === 'rendered')?.id);
  };
  const mayApprove = video.state === 'rendered' && !actions.isBusy(video.id);
  useKeys(
    {
      ArrowLeft: () => turn(-1),
      ArrowRight: () => turn(1),
      ...(mayApprove && shortcutsSwitch.isOn() && { a: () => void approve() }),
    },
    { windsVideos: false },
  );
  const { label, tone } = stateWords[video.state];
  return (
    <Dialog
      open
      onOpenChange={() => onReview(undefined)}
      title={video.title}
      description={`${place + 1} of ${watchable.length} · ${motionWords[video.style]} · take ${video.take}${video.madeBy ? ` · ${video.madeBy}` : ''}`}
      size="wide"
    >
      <div className="mt-5 grid gap-4 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <figure>
          {video.videoUrl === null ? (
            <div className="grid aspect-[16/10] place-items-center rounded-md bg-linen text-muted">
              Being made again
            </div>
          ) : (
            <Screen key={video.videoUrl} video={video} />
          )}
          <figcaption className="mt-1.5 text-sm text-muted">Video</figcaption>
        </figure>
        <figure>
          <img
            src={video.photoUrl}
            alt={`Original of ${video.title}`}
            className="max-h-[50dvh] w-full rounded-md bg-clay object-contain"
          />
          <figcaption className="mt-1.5 text-sm text-muted">Photo</figcaption>
        </figure>
      </div>
      <div className="mt-5 flex flex-wrap items-center gap-3">
        <Button
          look="secondary"
          size="small"
          onClick={() => turn(-1)}
          disabled={watchable.length < 2}
          aria-label="Previous video"
        >
          <ChevronLeft aria-hidden className="size-5" />
        </Button>
        <Button
          look="secondary"
          size="small"
          onClick={() => turn(1)}
          disabled={watchable.length < 2}
          aria-label="Next video"
        >
          <ChevronRight aria-hidden className="size-5" />
        </Button>
        <Badge tone={tone}>{label}</Badge>
        <div className="ml-auto flex flex-wrap items-center gap-3">
          <Redo key={`${video.id}-${video.take}`} video={video} actions={actions} />
          <Button
            size="small"
            disabled={video.state !== 'rendered'}
            busy={actions.isBusy(video.id)}
            onClick={() => void approve()}
          >
            <Check aria-hidden className="size-4.5" />
            {video.state === 'approved' ? 'Approved' : 'Approve'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Screen({ video }: { video: AdminVideo }) {
  const screen = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    // A browser that will not start it by itself leaves the controls to do so.
    if (screen.current) start(screen.current, () => {});
  }, []);
  return (
    <video
      ref={screen}
      src={video.videoUrl ?? undefined}
      poster={video.posterUrl ?? undefined}
      aria-label={video.title}
      controls
      loop
      muted
      playsInline
      className="aspect-[16/10] w-full rounded-md bg-black"
    >
      Your browser does not support the video tag.
    </video>
  );
}
