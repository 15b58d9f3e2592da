import { Play } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import type { DeliveredVideo } from '#contract/delivery.ts';
import { playMuted } from '../ui/use-loop.tsx';
import { focusIfFocusLost } from '../ui/lost-focus.ts';

/** Draws a picture frame (dark wood and a paper mount) around its content. Full screen shows only the content. */
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
  /** The video's name for screen readers. */
  name: string;
  isPlaying: boolean;
  /** Called at the end of the video, to play the next one. Without this callback, the video loops. */
  onEnded?: (() => void) | undefined;
  onPlay: () => void;
  onRefused: () => void;
}

/**
 * Plays one video. It is muted and inline, so that every browser allows autoplay. Set `key` to the video's id, so that
 * each video gets a new element.
 */
export function VideoScreen({ video, name, isPlaying, onEnded, onPlay, onRefused }: ScreenProps) {
  const videoRef = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (!isPlaying || !videoRef.current) return;
    playMuted(videoRef.current, onRefused);
    focusIfFocusLost(videoRef.current);
    // oxlint-disable-next-line react/exhaustive-deps -- started once; onRefused always does the same
  }, [isPlaying]);
  return (
    <>
      <video
        ref={videoRef}
        src={video.videoUrl}
        poster={video.posterUrl}
        aria-label={name}
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
          aria-label={`Play ${name}`}
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
