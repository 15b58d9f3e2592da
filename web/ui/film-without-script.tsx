import { classes } from './classes.ts';

interface Props {
  src: string;
  /** Without one a player that has not begun is black. */
  poster: string | undefined;
  label: string;
  className?: string | undefined;
}

/** Where scripts are switched off: the browser's own player, over the still of what a script would play there. */
export function FilmWithoutScript({ src, poster, label, className }: Props) {
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
        className={classes('absolute inset-0 z-10 size-full object-cover', className)}
      />
    </noscript>
  );
}
