import { Check, ChevronLeft, ChevronRight, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import type { AdminVideo } from '#contract/owner/production.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Badge } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { playMuted } from '../../ui/use-loop.tsx';
import { shortcutsSwitch } from '../shortcuts.ts';
import { KeepEarlierVideo } from './keep-live.tsx';
import { RedoButton, approvedTakeStaysText } from './redo.tsx';
import type { VideoActions } from './use-video-actions.ts';
import { videoSummaryText } from './production-rules.ts';
import { stateLabels } from './video-tile.tsx';

interface Props {
  videos: readonly AdminVideo[];
  reviewedId: string | undefined;
  onReview: (id: string | undefined) => void;
  actions: VideoActions;
}

/** Shows a video next to its photo. Approving it opens the next video that waits for review. */
export function VideoReview(props: Props) {
  const video = props.videos.find((it) => it.id === props.reviewedId);
  return video && <ReviewedVideo {...props} video={video} />;
}

function ReviewedVideo({ videos, video, onReview, actions }: Props & { video: AdminVideo }) {
  const watchableVideos = videos.filter((it) => it.videoUrl !== null || it.id === video.id);
  const index = watchableVideos.indexOf(video);
  const showVideoAfter = (by: number) => onReview(watchableVideos.at((index + by) % watchableVideos.length)?.id);
  const mayBeApproved = (it: AdminVideo) => it.state === 'rendered' && !actions.isBusy(it.id);
  const mayApprove = mayBeApproved(video);
  /** Opens the next video without waiting for the API, so that fast key presses work. If the API refuses, goes back. */
  const approve = async () => {
    const videosAfterThis = [...watchableVideos.slice(index + 1), ...watchableVideos.slice(0, index)];
    onReview(videosAfterThis.find(mayBeApproved)?.id);
    if (!(await actions.approve(video))) onReview(video.id);
  };
  useKeys(
    {
      ArrowLeft: () => showVideoAfter(-1),
      ArrowRight: () => showVideoAfter(1),
      a: mayApprove && shortcutsSwitch.isOn() ? () => void approve() : undefined,
    },
    { windsVideos: false },
  );
  const { label, tone } = stateLabels[video.state];
  return (
    <Dialog
      open
      onOpenChange={() => onReview(undefined)}
      title={video.title}
      description={`${index + 1} of ${watchableVideos.length} · ${videoSummaryText(video)}`}
      size="wide"
    >
      <div className="mt-5 grid gap-4 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <figure>
          {video.videoUrl === null ? (
            <div className="grid aspect-[16/10] place-items-center rounded-md bg-linen text-muted">
              We’re making this video again
            </div>
          ) : (
            <ReviewPlayer key={video.videoUrl} video={video} />
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
          onClick={() => showVideoAfter(-1)}
          disabled={watchableVideos.length < 2}
          aria-label="Previous video"
        >
          <ChevronLeft aria-hidden className="size-5" />
        </Button>
        <Button
          look="secondary"
          size="small"
          onClick={() => showVideoAfter(1)}
          disabled={watchableVideos.length < 2}
          aria-label="Next video"
        >
          <ChevronRight aria-hidden className="size-5" />
        </Button>
        <Badge tone={tone}>{label}</Badge>
        <div className="ml-auto flex flex-wrap items-center gap-3">
          <OwnVideoFile video={video} actions={actions} />
          <KeepEarlierVideo video={video} actions={actions} />
          <RedoButton key={`${video.id}-${video.take}`} video={video} actions={actions} />
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

/** A button with which the owner replaces the video with a file. */
function OwnVideoFile({ video, actions }: { video: AdminVideo; actions: VideoActions }) {
  const fileInputRef = useRef<HTMLInputElement>(null);
  /** A chosen file that would replace an approved video. It is uploaded after a confirmation. */
  const [chosen, setChosen] = useState<File>();
  const choose = (film: File | undefined) => {
    if (!film) return;
    if (film.size > limits.filmBytes)
      toast({ title: 'Video too large', description: refusals['film-too-large'].words, destructive: true });
    else if (video.state === 'approved') setChosen(film);
    else void actions.replaceVideo(video, film);
  };
  return (
    <>
      <input
        ref={fileInputRef}
        type="file"
        accept="video/mp4,video/quicktime,.mp4,.mov"
        hidden
        aria-label={`Video for ${video.title}`}
        onChange={({ currentTarget }) => {
          choose(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <Button look="quiet" size="small" busy={actions.isBusy(video.id)} onClick={() => fileInputRef.current?.click()}>
        <Upload aria-hidden className="size-4.5" />
        Upload your own video
      </Button>
      <ConfirmDialog
        open={chosen !== undefined}
        onOpenChange={() => setChosen(undefined)}
        title={`Use your own video for “${video.title}”?`}
        description={`Its current video is approved. ${approvedTakeStaysText} We won’t send an email now.`}
        confirmLabel="Use my video"
        onConfirm={async () => {
          if (!(await actions.replaceVideo(video, chosen!))) throw new Error('We couldn’t use your video');
        }}
      />
    </>
  );
}

function ReviewPlayer({ video }: { video: AdminVideo }) {
  const videoRef = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    // Do nothing if the browser blocks autoplay: the owner can use the controls.
    if (videoRef.current) playMuted(videoRef.current, () => {});
  }, []);
  return (
    <video
      ref={videoRef}
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
