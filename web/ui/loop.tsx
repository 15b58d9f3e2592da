import { Pause, Play } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { classes } from './classes.ts';
import { useLostFocus } from './lost-focus.ts';
import { useReducedMotion } from './media-queries.ts';

/**
 * `waiting`: has not played yet. `refused`: the browser does not let it play by itself, or it cannot be played.
 * `paused`: by the visitor; the film stands where it was.
 */
type LoopState = 'waiting' | 'playing' | 'paused' | 'refused';

export interface Loop {
  state: LoopState;
  /** Waits for somebody to press: motion is not wanted, or was refused. */
  isStill: boolean;
  play: () => void;
  pause: () => void;
  /** The button that stops it, to which focus goes along from the one that set it going. */
  pauseButton: RefObject<HTMLButtonElement | null>;
  /** For its video element. */
  video: {
    ref: RefObject<HTMLVideoElement | null>;
    tabIndex: -1;
    loop: true;
    playsInline: true;
    preload: 'none';
    onPlaying: () => void;
    onError: () => void;
  };
}

/** A muted film that plays inline, over and over, while it is in sight, until the visitor pauses it. */
export function useLoop(): Loop {
  const ref = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<LoopState>('waiting');
  const { target: pauseButton, press } = useLostFocus<HTMLButtonElement>(state);
  const isUnwanted = useReducedMotion() && state === 'waiting';
  const waitsForHand = isUnwanted || state === 'paused';

  useEffect(() => {
    const { current } = ref;
    if (!current || waitsForHand) return;
    let end: (() => void) | undefined;
    const begin = () => (end = playInSight(current, () => setState('refused')));
    // The still and the page come first on the wire.
    if (document.readyState === 'complete') begin();
    else addEventListener('load', begin, { once: true });
    return () => {
      removeEventListener('load', begin);
      end?.();
    };
  }, [waitsForHand]);

  return {
    state,
    isStill: isUnwanted || state === 'refused',
    pauseButton,
    play() {
      press();
      if (ref.current) start(ref.current, () => setState('refused'));
    },
    pause() {
      ref.current?.pause();
      setState('paused');
    },
    video: {
      ref,
      tabIndex: -1, // a browser that takes it for a stop of its own holds a dialog's focus there
      loop: true,
      playsInline: true,
      preload: 'none',
      onPlaying: () => setState('playing'),
      onError: () => setState('refused'),
    },
  };
}

/** Far below the fold nothing is fetched; out of sight nothing plays. Answers what ends it. */
function playInSight(video: HTMLVideoElement, onRefused: () => void): () => void {
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
  video.muted = true; // React sets it too late for some phones, which then refuse to start
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
        'ring-inside absolute inset-0 grid place-items-center bg-night/10 transition-colors hover:bg-night/20',
        className,
      )}
    >
      <span className="grid size-18 place-items-center rounded-full bg-paper/95 text-ink shadow-lifted">
        <Play aria-hidden className="ml-1 size-7 fill-current" />
      </span>
    </button>
  );
}

/** In a loop's corner: what moves by itself can be stopped, and let go on. */
export function PauseButton({ loop, label }: { loop: Loop; label: string }) {
  const { state, isStill, play, pause, pauseButton } = loop;
  if (state === 'waiting' && !isStill) return null;
  const isPlaying = state === 'playing';
  const Icon = isPlaying ? Pause : Play;
  return (
    <button
      type="button"
      ref={pauseButton}
      aria-label={`${isPlaying ? 'Pause' : 'Play'} video: ${label}`}
      onClick={isPlaying ? pause : play}
      className="ring-on-film absolute right-3 bottom-3 z-10 grid size-11 place-items-center rounded-full bg-night/55 text-paper transition-colors hover:bg-night/80 focus-visible:rounded-full"
    >
      <Icon aria-hidden className="size-4.5 fill-current" />
    </button>
  );
}
