import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { madePicture } from '../media.ts';
import { FilmWithoutScript } from './film-without-script.tsx';
import { PauseButton, PlayButton, useLoop } from './loop.tsx';

interface Props {
  src: string;
  /** What moves in it. */
  label: string;
  /** What the buttons say that they play and pause. */
  plays: string;
  /** The still: a name of a made picture or an address, as its Picture in `children` has it. */
  still: string;
  children: ReactNode;
  className?: string | undefined;
  buttonClassName?: string | undefined;
}

/**
 * A loop hidden behind its still until it can play, then faded in. Where autoplay is refused, fails, or motion is not
 * wanted, the still stays under a play button. Covers what it stands in.
 */
export function FilmOverStill({ src, label, plays, still, children, className, buttonClassName }: Props) {
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
        className={classes(
          'needs-script absolute inset-0 size-full object-cover transition-opacity duration-1000',
          isShown ? 'opacity-100' : 'opacity-0',
          className,
        )}
      >
        Your browser does not support the video tag.
      </video>
      <FilmWithoutScript src={src} poster={madePicture(still)?.fallback ?? still} label={label} className={className} />
      {loop.isStill ? (
        <PlayButton label={plays} onClick={loop.play} className={buttonClassName} />
      ) : (
        <PauseButton loop={loop} label={plays} />
      )}
    </>
  );
}
