import { joinClassNames } from './classes.ts';

interface Props {
  src: string;
  /** Without a poster the player is black until the video starts. */
  poster: string | undefined;
  label: string;
  className?: string | undefined;
}

/** Without JavaScript, the browser's own player covers the still picture. */
export function VideoWithoutScript({ src, poster, label, className }: Props) {
  return (
    <noscript>
      <video
        src={src}
        poster={poster}
        aria-label={label}
        controls
        muted
        loop
        playsInline
        preload="none"
        className={joinClassNames('absolute inset-0 z-10 size-full object-cover', className)}
      />
    </noscript>
  );
}
