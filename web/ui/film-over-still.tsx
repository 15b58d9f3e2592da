import { type ReactNode, useEffect, useRef, useState } from 'react';
import { classes } from './classes.ts';
import { prefersReducedMotion, useReducedMotion } from './media-queries.ts';
import { PlayButton, playInSight, start } from './video-loop.tsx';

interface Props {
  src: string;
  /** What moves in it. */
  label: string;
  /** What the button says that it plays. */
  plays: string;
  /** The still, covering the same place. */
  children: ReactNode;
  className?: string | undefined;
  buttonClassName?: string | undefined;
}

/**
 * A muted loop hidden behind its still until it can play, then faded in; it plays while it is in sight. Where autoplay is refused, fails, or motion is not
 * wanted, the still stays under a play button. Covers what it stands in.
 */
export function FilmOverStill({ src, label, plays, children, className, buttonClassName }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<'hidden' | 'playing' | 'refused'>('hidden');
  const still = useReducedMotion() && state === 'hidden';

  useEffect(() => {
    const { current } = video;
    if (!current || prefersReducedMotion()) return;
    let end: (() => void) | undefined;
    const begin = () => (end = playInSight(current, () => setState('refused')));
    // The still and the page come first on the wire.
    if (document.readyState === 'complete') begin();
    else addEventListener('load', begin, { once: true });
    return () => {
      removeEventListener('load', begin);
      end?.();
    };
  }, []);

  return (
    <>
      {children}
      <video
        ref={video}
        src={src}
        muted
        loop
        playsInline
        preload="none"
        aria-label={label}
        onPlaying={() => setState('playing')}
        onError={() => setState('refused')}
        className={classes(
          'absolute inset-0 size-full object-cover transition-opacity duration-1000',
          state === 'playing' ? 'opacity-100' : 'opacity-0',
          className,
        )}
      >
        Your browser does not support the video tag.
      </video>
      {(still || state === 'refused') && (
        <PlayButton
          label={plays}
          onClick={() => video.current && start(video.current, () => setState('refused'))}
          className={buttonClassName}
        />
      )}
    </>
  );
}
