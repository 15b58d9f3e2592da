import { Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { classes } from './classes.ts';
import { FilmWithoutScript } from './film-without-script.tsx';
import { useReducedMotion } from './media-queries.ts';

interface Props {
  src: string;
  poster?: string | undefined;
  /** What moves in it. */
  label: string;
  /** Size and shape of the whole; the video covers it. */
  className?: string | undefined;
}

/**
 * A muted loop that plays inline while it is in sight. Where autoplay is refused, fails, or motion is not wanted, its
 * poster stays under a play button.
 */
export function VideoLoop({ src, poster, label, className }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<'waiting' | 'playing' | 'refused'>('waiting');
  const still = useReducedMotion() && state === 'waiting';

  useEffect(() => {
    const { current } = video;
    if (!current || still) return;
    return playInSight(current, () => setState('refused'));
  }, [still]);

  return (
    <div className={classes('relative overflow-hidden', className)}>
      <video
        ref={video}
        src={src}
        poster={poster}
        aria-label={label}
        muted
        loop
        playsInline
        preload="none"
        onPlaying={() => setState('playing')}
        onError={() => setState('refused')}
        className="size-full object-cover"
      >
        Your browser does not support the video tag.
      </video>
      <FilmWithoutScript src={src} poster={poster} label={label} />
      {(still || state === 'refused') && (
        <PlayButton label={label} onClick={() => video.current && start(video.current, () => setState('refused'))} />
      )}
    </div>
  );
}

/** Far below the fold nothing is fetched; out of sight nothing plays. Answers what ends it. */
export function playInSight(video: HTMLVideoElement, onRefused: () => void): () => void {
  const watch = new IntersectionObserver(
    (entries) => {
      if (entries.at(-1)?.isIntersecting) start(video, onRefused);
      else video.pause();
    },
    { rootMargin: '200px' },
  );
  watch.observe(video);
  return () => watch.disconnect();
}

/** Play, and say when the browser refuses. Being interrupted, by leaving or by a pause, is no refusal. */
export function start(video: HTMLVideoElement, onRefused: () => void) {
  video.play().catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) onRefused();
  });
}

/** Over a still: press to see it move. */
export function PlayButton(props: { label: string; onClick: () => void; className?: string | undefined }) {
  const { label, onClick, className } = props;
  return (
    <button
      type="button"
      aria-label={`Play video: ${label}`}
      onClick={onClick}
      className={classes(
        'absolute inset-0 grid place-items-center bg-night/10 transition-colors hover:bg-night/20',
        className,
      )}
    >
      <span className="grid size-18 place-items-center rounded-full bg-paper/95 text-ink shadow-lifted">
        <Play aria-hidden className="ml-1 size-7 fill-current" />
      </span>
    </button>
  );
}
