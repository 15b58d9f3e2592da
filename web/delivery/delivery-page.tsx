import { ChevronLeft, ChevronRight, Download, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Delivery } from '#contract/delivery.ts';
import { counted, day, megabytes } from '../account/words.ts';
import { classes } from '../ui/classes.ts';
import { useKeys } from '../ui/keys.ts';
import { start } from '../ui/video-loop.tsx';

/** /delivery/{token}: a private cinema of one family's videos. */
export function DeliveryPage({ delivery }: { delivery: Delivery }) {
  const { firstName, frameName, videos } = delivery;
  return (
    <div className="on-night bg-night text-paper">
      <section className="wrap py-10 sm:py-16">
        <p className="text-sand">{frameName}</p>
        <h1 className="title-2 mt-2 max-w-3xl">
          {firstName ? `${firstName}, your photos have come to life` : 'Your photos have come to life'}
        </h1>
        {videos.length > 0 ? <Cinema delivery={delivery} /> : <NothingYet />}
      </section>
    </div>
  );
}

function Cinema({ delivery }: { delivery: Delivery }) {
  const { videos, downloadAllBytes, downloadAllUrl, expiresAt } = delivery;
  const [place, setPlace] = useState(0);
  /** Nothing plays before the family asks for it. */
  const [isPlaying, setIsPlaying] = useState(false);
  const screen = useRef<HTMLDivElement>(null);
  const video = videos[place]!;

  const show = (next: number) => {
    setPlace((next + videos.length) % videos.length);
    setIsPlaying(true);
  };
  useKeys({ ArrowLeft: () => show(place - 1), ArrowRight: () => show(place + 1) });

  return (
    <>
      <div className="mt-8 grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-10">
        <div>
          <div
            ref={screen}
            className="relative overflow-hidden rounded-lg bg-black shadow-lifted ring-1 ring-paper/10 sm:rounded-xl"
          >
            <Screen key={video.id} video={video} isPlaying={isPlaying} onRefused={() => setIsPlaying(false)} />
            {!isPlaying && (
              <button
                type="button"
                aria-label={`Play ${video.title}`}
                onClick={() => setIsPlaying(true)}
                className="absolute inset-0 grid place-items-center bg-night/20 transition-colors hover:bg-night/35"
              >
                <span className="grid size-20 place-items-center rounded-full bg-paper/95 text-ink shadow-lifted">
                  <Play aria-hidden className="ml-1 size-8 fill-current" />
                </span>
              </button>
            )}
          </div>
          <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <p className="min-w-0 flex-1 basis-48" aria-live="polite">
              <span className="title-3 block truncate">{video.title}</span>
              <span className="text-[0.9375rem] text-sand">
                {place + 1} of {videos.length}
                {video.seconds > 0 && ` · ${Math.round(video.seconds)} seconds`}
              </span>
            </p>
            <div className="flex gap-2">
              {videos.length > 1 && (
                <>
                  <RoundButton words="Previous video" icon={ChevronLeft} onClick={() => show(place - 1)} />
                  <RoundButton words="Next video" icon={ChevronRight} onClick={() => show(place + 1)} />
                </>
              )}
              <a
                href={video.downloadUrl}
                download
                aria-label={`Download ${megabytes(video.sizeBytes)}: ${video.title}`}
                className="inline-flex min-h-12 items-center gap-2 rounded-full border border-sand/50 px-5 font-semibold transition-colors hover:bg-night-soft focus-visible:rounded-full"
              >
                <Download aria-hidden className="size-5" />
                Download <span className="font-normal text-sand">{megabytes(video.sizeBytes)}</span>
              </a>
            </div>
          </div>
        </div>
        <KeepThem
          count={videos.length}
          bytes={downloadAllBytes}
          url={downloadAllUrl}
          expiresAt={expiresAt}
          orderNumber={delivery.orderNumber}
        />
      </div>
      {videos.length > 1 && (
        <>
          <h2 className="title-3 mt-12">All {counted(videos.length, 'video')}</h2>
          <ul className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4 xl:grid-cols-5">
            {videos.map((it, index) => (
              <li key={it.id} className="relative">
                <button
                  type="button"
                  aria-label={`Watch ${it.title}`}
                  aria-current={index === place}
                  onClick={() => {
                    show(index);
                    screen.current?.scrollIntoView({ block: 'center' });
                  }}
                  className={classes(
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
                  <span className="block truncate bg-night-soft py-2.5 pr-12 pl-3 text-[0.9375rem]">{it.title}</span>
                </button>
                <a
                  href={it.downloadUrl}
                  download
                  aria-label={`Download ${it.title}, ${megabytes(it.sizeBytes)}`}
                  className="absolute right-0 bottom-0 grid size-11 place-items-center rounded-lg text-sand transition-colors hover:text-paper"
                >
                  <Download aria-hidden className="size-5" />
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Where one video plays; another one gets a new screen. */
function Screen(props: { video: Delivery['videos'][number]; isPlaying: boolean; onRefused: () => void }) {
  const { video, isPlaying, onRefused } = props;
  const screen = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (!isPlaying || !screen.current) return;
    screen.current.muted = true; // React sets it too late for some phones, which then refuse to start
    start(screen.current, onRefused);
    // oxlint-disable-next-line react/exhaustive-deps -- started once; onRefused says the same every time
  }, [isPlaying]);
  return (
    <video
      ref={screen}
      src={video.videoUrl}
      poster={video.posterUrl}
      aria-label={video.title}
      controls={isPlaying}
      loop
      muted
      playsInline
      preload={isPlaying ? 'auto' : 'none'}
      className="aspect-[16/10] w-full object-contain"
    >
      Your browser does not support the video tag.
    </video>
  );
}

function KeepThem(props: { count: number; bytes: number; url: string; expiresAt: string; orderNumber: string }) {
  return (
    <aside aria-label="Keep your videos" className="rounded-xl bg-night-soft p-6">
      <h2 className="title-3">Keep them for good</h2>
      <p className="mt-2 text-sand">
        This page is private: only people with the link can see it. It stays open until{' '}
        <strong className="font-semibold text-paper">{day(props.expiresAt)}</strong>. Please save your videos before
        then.
      </p>
      <a
        href={props.url}
        download
        className="mt-5 flex min-h-14 w-full items-center justify-center gap-2 rounded-full bg-paper px-6 text-center leading-tight font-semibold text-ink transition-colors hover:bg-clay focus-visible:rounded-full"
      >
        <Download aria-hidden className="size-5 shrink-0" />
        Download all ({megabytes(props.bytes)})
      </a>
      <p className="mt-3 text-[0.9375rem] text-sand">
        {counted(props.count, 'video')} in one ZIP file ·{' '}
        <span className="whitespace-nowrap">Order {props.orderNumber}</span>
      </p>
    </aside>
  );
}

function RoundButton(props: { words: string; icon: typeof ChevronLeft; onClick: () => void }) {
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

const NothingYet = () => (
  <p className="lede mt-4 max-w-2xl text-sand">
    There is nothing to watch right now: we are making a video again. Please come back in a little while.
  </p>
);
