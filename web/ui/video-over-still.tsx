import type { ReactNode } from 'react';
import { joinClassNames } from './classes.ts';
import { findGeneratedPicture } from '../media.ts';
import { VideoWithoutScript } from './video-without-script.tsx';
import { PauseButton, PlayButton, useLoop } from './use-loop.tsx';

interface Props {
  src: string;
  /** What the video shows, for screen readers. */
  label: string;
  /** The name of the video in the labels of the play and pause buttons. */
  plays: string;
  /** The still picture: the `src` of the Picture in `children`. */
  still: string;
  children: ReactNode;
  className?: string | undefined;
  buttonClassName?: string | undefined;
}

/**
 * A looping video that is invisible over a still picture until it plays, and then fades in. The still picture stays,
 * with a play button, if the browser blocks autoplay, the video fails, or the visitor prefers reduced motion. Covers
 * its container.
 */
export function VideoOverStill({ src, label, plays, still, children, className, buttonClassName }: Props) {
  const loop = useLoop();
  const isShown = loop.state === 'playing' || loop.state === 'paused';
  return (
    <>
      {children}
      <video
        {...loop.video}
        muted
        src={src}
        aria-label={label}
        className={joinClassNames(
          'needs-script absolute inset-0 size-full object-cover transition-opacity duration-1000',
          isShown ? 'opacity-100' : 'opacity-0',
          className,
        )}
      >
        Your browser does not support the video tag.
      </video>
      <VideoWithoutScript
        src={src}
        poster={findGeneratedPicture(still)?.fallback ?? still}
        label={label}
        className={className}
      />
      {loop.isStill ? (
        <PlayButton label={plays} onClick={loop.play} className={buttonClassName} />
      ) : (
        <PauseButton loop={loop} label={plays} />
      )}
    </>
  );
}
