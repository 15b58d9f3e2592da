import { Pause, Play } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { joinClassNames } from './classes.ts';
import { useLostFocus } from './lost-focus.ts';
import { useReducedMotion } from './media-queries.ts';

/**
 * `waiting`: has not played yet. `refused`: the browser blocks autoplay, or the video cannot be played. `paused`: the
 * visitor paused it.
 */
type LoopState = 'waiting' | 'playing' | 'paused' | 'refused';

export interface LoopingVideoControls {
  state: LoopState;
  /** Whether the video needs a press of the play button: the visitor prefers reduced motion, or autoplay is refused. */
  isStill: boolean;
  play: () => void;
  pause: () => void;
  /** The pause button. It gets the focus when the play button disappears after a press. */
  pauseButton: RefObject<HTMLButtonElement | null>;
  /** The props of the video element. */
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

/** A muted, looping inline video. It plays while it is in the viewport, until the visitor pauses it. */
export function useLoop(): LoopingVideoControls {
  const videoRef = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<LoopState>('waiting');
  const { target: pauseButton, press } = useLostFocus<HTMLButtonElement>(state);
  const isReducedMotion = useReducedMotion() && state === 'waiting';
  const waitsForPlayButton = isReducedMotion || state === 'paused';

  useEffect(() => {
    const { current } = videoRef;
    if (!current || waitsForPlayButton) return;
    let stopPlaying: (() => void) | undefined;
    const startPlaying = () => (stopPlaying = playInSight(current, () => setState('refused')));
    // Start after the page has loaded, so that the video does not delay the still picture and the page.
    if (document.readyState === 'complete') startPlaying();
    else addEventListener('load', startPlaying, { once: true });
    return () => {
      removeEventListener('load', startPlaying);
      stopPlaying?.();
    };
  }, [waitsForPlayButton]);

  return {
    state,
    isStill: isReducedMotion || state === 'refused',
    pauseButton,
    play() {
      press();
      if (videoRef.current) playMuted(videoRef.current, () => setState('refused'));
    },
    pause() {
      videoRef.current?.pause();
      setState('paused');
    },
    video: {
      ref: videoRef,
      tabIndex: -1, // some browsers make a video a tab stop, and the focus of a dialog would get stuck on it
      loop: true,
      playsInline: true,
      preload: 'none',
      onPlaying: () => setState('playing'),
      onError: () => setState('refused'),
    },
  };
}

/**
 * Loads and plays the video only near or in the viewport, and pauses it elsewhere. Returns a function that stops this.
 */
function playInSight(video: HTMLVideoElement, onRefused: () => void): () => void {
  const visibilityObserver = new IntersectionObserver(
    (entries) => {
      if (entries.at(-1)?.isIntersecting) playMuted(video, onRefused);
      else video.pause();
    },
    { rootMargin: '200px' },
  );
  visibilityObserver.observe(video);
  return () => visibilityObserver.disconnect();
}

/**
 * Plays the video. Calls `onRefused` if the browser refuses. If a pause or a page change interrupts the start, this is
 * not a refusal.
 */
export function playMuted(video: HTMLVideoElement, onRefused: () => void) {
  video.muted = true; // React sets `muted` too late for some phones, and they then refuse autoplay
  video.play().catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) onRefused();
  });
}

/** A play button that covers the still picture of a video. */
export function PlayButton(props: { label: string; onClick: () => void; className?: string | undefined }) {
  const { label, onClick, className } = props;
  return (
    <button
      type="button"
      aria-label={`Play video: ${label}`}
      onClick={onClick}
      className={joinClassNames(
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

/** A button in the corner of a looping video. It pauses the video and plays it again. */
export function PauseButton({ loop, label }: { loop: LoopingVideoControls; label: string }) {
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
