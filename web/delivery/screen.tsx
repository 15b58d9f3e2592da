import { Play } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import type { DeliveredVideo } from '#contract/delivery.ts';
import { start } from '../ui/loop.tsx';
import { takeLostFocus } from '../ui/lost-focus.ts';

/** A picture frame, drawn: dark wood, a mount of paper, and what it shows. Full screen it is gone. */
export function PictureFrame({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div className="picture-frame">
      <div className="picture-mount">
        <div ref={ref} className="picture-screen relative overflow-hidden bg-black">
          {children}
        </div>
      </div>
    </div>
  );
}

interface ScreenProps {
  video: DeliveredVideo;
  isPlaying: boolean;
  /** Goes on to the next one, where all are played; else it begins again by itself. */
  onEnded?: (() => void) | undefined;
  onPlay: () => void;
  onRefused: () => void;
}

/** Where one video plays; another one gets a new screen. Muted and inline, so that every browser lets it play. */
export function Screen({ video, isPlaying, onEnded, onPlay, onRefused }: ScreenProps) {
  const screen = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (!isPlaying || !screen.current) return;
    start(screen.current, onRefused);
    takeLostFocus(screen.current);
    // oxlint-disable-next-line react/exhaustive-deps -- started once; onRefused says the same every time
  }, [isPlaying]);
  return (
    <>
      <video
        ref={screen}
        src={video.videoUrl}
        poster={video.posterUrl}
        aria-label={video.title}
        controls={isPlaying}
        loop={!onEnded}
        muted
        playsInline
        preload={isPlaying ? 'auto' : 'none'}
        onEnded={onEnded}
        className="size-full object-contain"
      >
        Your browser does not support the video tag.
      </video>
      {!isPlaying && (
        <button
          type="button"
          aria-label={`Play ${video.title}`}
          onClick={onPlay}
          className="needs-script ring-inside absolute inset-0 grid place-items-center bg-night/20 transition-colors hover:bg-night/35"
        >
          <span className="grid size-20 place-items-center rounded-full bg-paper/95 text-ink shadow-lifted">
            <Play aria-hidden className="ml-1 size-8 fill-current" />
          </span>
        </button>
      )}
    </>
  );
}
