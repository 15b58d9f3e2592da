import {
  ChevronLeft,
  ChevronRight,
  Columns2,
  Download,
  ImageDown,
  ListVideo,
  Maximize,
  Pencil,
  Play,
  RotateCcw,
} from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Delivery, DeliveredVideo } from '#contract/delivery.ts';
import { madeInsteadText } from '#contract/motion.ts';
import { countText } from '#contract/count-text.ts';
import { megabytesText } from '../account/purchase-text.ts';
import { BeforeAfter } from '../ui/before-after.tsx';
import { joinClassNames } from '../ui/classes.ts';
import { useKeys } from '../ui/keys.ts';
import { preferredScrollBehavior } from '../ui/media-queries.ts';
import { toast } from '../ui/toast.ts';
import { RequestRedoDialog } from './request-redo-dialog.tsx';
import { PictureFrame, VideoScreen } from './video-screen.tsx';
import { TitleDialog } from './title-dialog.tsx';
import { videoName } from './video-name.ts';
import { VideoProvenance } from './video-provenance.tsx';

/**
 * `still`: the poster, until the viewer starts a video. `one`: one video in a loop. `all`: all videos in turn.
 * `compared`: the photo over its video, with a slider.
 */
type VideoLayout = 'still' | 'one' | 'all' | 'compared';

/**
 * A photo much narrower or wider than the frame's screen is shown whole. Approximates the renderer's rule, which also
 * depends on the detected heads (adapters/animation/local/framing.ts).
 */
function photoFitOf({ photoWidth, photoHeight }: DeliveredVideo): 'contain' | 'cover' {
  const photoAspectRatio = photoWidth / photoHeight;
  return photoAspectRatio < 1.15 || photoAspectRatio > 2.3 ? 'contain' : 'cover';
}

/** The frame with the current video, the actions for that video, and all other videos. */
export function DeliveredVideos({ delivery, token, aside }: { delivery: Delivery; token: string; aside: ReactNode }) {
  const { videos, may } = delivery;
  const [shownId, setShownId] = useState(videos[0]!.id);
  const [showing, setShowing] = useState<VideoLayout>('still');
  /** The open dialog and its video. The page may show another video while the dialog is open. */
  const [openDialog, setOpenDialog] = useState<{ for: 'title' | 'again'; video: DeliveredVideo }>();
  const screenRef = useRef<HTMLDivElement>(null);
  const shownIndex = Math.max(
    0,
    videos.findIndex((it) => it.id === shownId),
  ); // if the shown video is in production again, it may be missing here: show the first one
  const video = videos[shownIndex]!;
  const name = videoName(video, shownIndex);
  const isBeingMade = delivery.underWay.some((it) => it.id === video.id);

  const showVideoAt = (next: number, how: VideoLayout = showing === 'all' ? 'all' : 'one') => {
    setShownId(videos[(next + videos.length) % videos.length]!.id);
    setShowing(how);
  };
  useKeys(
    { ArrowLeft: () => showVideoAt(shownIndex - 1), ArrowRight: () => showVideoAt(shownIndex + 1) },
    { when: () => showing !== 'compared' && openDialog === undefined },
  );

  return (
    <>
      <div className="mt-8 grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-10">
        <div>
          <PictureFrame ref={screenRef}>
            {showing === 'compared' ? (
              <BeforeAfter
                key={video.id}
                title={name}
                photoUrl={video.photoUrl}
                photoFit={photoFitOf(video)}
                videoUrl={video.videoUrl}
                posterUrl={video.posterUrl}
              />
            ) : (
              <VideoScreen
                key={video.id}
                video={video}
                name={name}
                isPlaying={showing !== 'still'}
                onEnded={showing === 'all' && videos.length > 1 ? () => showVideoAt(shownIndex + 1) : undefined}
                onPlay={() => setShowing('one')}
                onRefused={() => setShowing('still')}
              />
            )}
          </PictureFrame>
          <div className="mt-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
            <div className="min-w-0 flex-1 basis-60" aria-live="polite">
              <p className="flex items-center gap-1">
                {video.caption !== null && <span className="title-3 block truncate">{video.caption}</span>}
                {may === 'keep' && (
                  <button
                    type="button"
                    aria-label={video.caption === null ? undefined : `Write a title for ${name}`}
                    onClick={() => setOpenDialog({ for: 'title', video })}
                    className={joinClassNames(
                      'flex min-h-11 shrink-0 items-center gap-2 text-sand transition-colors hover:text-paper focus-visible:rounded-full',
                      video.caption !== null && 'min-w-11 justify-center',
                    )}
                  >
                    <Pencil aria-hidden className="size-4.5" />
                    {video.caption === null && 'Add a title'}
                  </button>
                )}
              </p>
              <p className="text-[0.9375rem] text-sand">
                {shownIndex + 1} of {videos.length}
                {video.seconds > 0 && ` · ${Math.round(video.seconds)} seconds`}
                {showing === 'all' && ' · playing all'}
              </p>
              {video.provenance && (
                <VideoProvenance
                  key={video.id}
                  provenance={video.provenance}
                  isShared={may === 'watch'}
                  className="text-sand"
                />
              )}
              {may === 'keep' && video.requestedMotionNotMade && (
                <p className="mt-1 text-[0.9375rem] text-sand">{madeInsteadText(video.requestedMotionNotMade)}</p>
              )}
            </div>
            <div className="flex gap-2">
              {videos.length > 1 && (
                <>
                  <RoundButton words="Previous video" icon={ChevronLeft} onClick={() => showVideoAt(shownIndex - 1)} />
                  <RoundButton words="Next video" icon={ChevronRight} onClick={() => showVideoAt(shownIndex + 1)} />
                </>
              )}
              <RoundButton
                words="Full screen"
                icon={Maximize}
                onClick={() => {
                  if (showing === 'still') setShowing('one');
                  fillScreen(screenRef.current);
                }}
              />
            </div>
          </div>
          <div className="mt-4 flex flex-wrap gap-2">
            {videos.length > 1 && (
              <Pill icon={ListVideo} onClick={() => showVideoAt(0, 'all')}>
                Play all
              </Pill>
            )}
            <Pill
              icon={Columns2}
              isPressed={showing === 'compared'}
              onClick={() => setShowing(showing === 'compared' ? 'one' : 'compared')}
            >
              Before and after
            </Pill>
            <a
              href={video.downloadUrl}
              download
              aria-label={`Download ${megabytesText(video.sizeBytes)}: ${name}`}
              className={pillClasses}
            >
              <Download aria-hidden className="size-5" />
              Download <span className="font-normal text-sand">{megabytesText(video.sizeBytes)}</span>
            </a>
            <a href={video.stillUrl} download aria-label={`Download a picture of ${name}`} className={pillClasses}>
              <ImageDown aria-hidden className="size-5" />
              Download a picture
            </a>
            {may === 'keep' && !isBeingMade && (
              <Pill icon={RotateCcw} onClick={() => setOpenDialog({ for: 'again', video })}>
                Make this one again
              </Pill>
            )}
          </div>
          {videos.length > 1 && (
            <AllVideos
              videos={videos}
              place={shownIndex}
              onWatch={(index) => {
                showVideoAt(index, 'one');
                screenRef.current?.scrollIntoView({ block: 'center', behavior: preferredScrollBehavior() });
              }}
            />
          )}
        </div>
        {aside}
      </div>
      {openDialog?.for === 'title' && (
        <TitleDialog video={openDialog.video} token={token} onClose={() => setOpenDialog(undefined)} />
      )}
      {openDialog?.for === 'again' && (
        <RequestRedoDialog
          video={openDialog.video}
          delivery={delivery}
          token={token}
          onClose={() => setOpenDialog(undefined)}
        />
      )}
    </>
  );
}

function AllVideos({
  videos,
  place,
  onWatch,
}: {
  videos: DeliveredVideo[];
  place: number;
  onWatch: (index: number) => void;
}) {
  return (
    <>
      <h2 className="title-3 mt-12">All {countText(videos.length, 'video')}</h2>
      <ul className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-4">
        {videos.map((it, index) => (
          <li key={it.id} className="relative">
            <button
              type="button"
              aria-label={`Watch ${videoName(it, index)}`}
              aria-current={index === place}
              onClick={() => onWatch(index)}
              className={joinClassNames(
                'group block w-full overflow-hidden rounded-lg text-left ring-2 transition-shadow focus-visible:rounded-lg',
                index === place ? 'ring-clay' : 'ring-transparent hover:ring-sand/60',
              )}
            >
              <span className="relative block">
                <img
                  src={it.posterUrl}
                  alt=""
                  width={1280}
                  height={800}
                  loading="lazy"
                  decoding="async"
                  className="aspect-[16/10] w-full bg-night-soft object-cover"
                />
                <Play
                  aria-hidden
                  className="absolute bottom-2 left-2 size-6 fill-paper text-paper opacity-80 drop-shadow transition-opacity group-hover:opacity-100"
                />
              </span>
              <span className="block min-h-11 truncate bg-night-soft py-2.5 pr-12 pl-3 text-[0.9375rem]">
                {it.caption}
              </span>
            </button>
            <a
              href={it.downloadUrl}
              download
              aria-label={`Download ${videoName(it, index)}, ${megabytesText(it.sizeBytes)}`}
              className="absolute right-0 bottom-0 grid size-11 place-items-center rounded-lg text-sand transition-colors hover:text-paper"
            >
              <Download aria-hidden className="size-5" />
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Shows the element full screen. A phone that cannot do this opens the video in its own video player. */
function fillScreen(screen: HTMLElement | null) {
  if (!screen) return;
  const video: (HTMLVideoElement & { webkitEnterFullscreen?: () => void }) | null = screen.querySelector('video');
  if (typeof screen.requestFullscreen === 'function')
    screen
      .requestFullscreen()
      .catch(() => toast({ title: 'Not shown', description: 'Your browser didn’t switch to full screen.' }));
  else video?.webkitEnterFullscreen?.();
}

const pillClasses =
  'inline-flex min-h-12 items-center gap-2 rounded-full border border-sand/50 px-5 font-semibold transition-colors hover:bg-night-soft focus-visible:rounded-full aria-pressed:bg-paper aria-pressed:text-ink';

function Pill(props: { icon: typeof Play; onClick: () => void; isPressed?: boolean; children: ReactNode }) {
  return (
    <button type="button" aria-pressed={props.isPressed} onClick={props.onClick} className={pillClasses}>
      <props.icon aria-hidden className="size-5" />
      {props.children}
    </button>
  );
}

function RoundButton(props: { words: string; icon: typeof Play; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={props.words}
      onClick={props.onClick}
      className="grid size-12 place-items-center rounded-full border border-sand/50 transition-colors hover:bg-night-soft focus-visible:rounded-full"
    >
      <props.icon aria-hidden className="size-5" />
    </button>
  );
}
