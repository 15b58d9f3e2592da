import { classes } from './classes.ts';
import { FilmWithoutScript } from './film-without-script.tsx';
import { PauseButton, PlayButton, useLoop } from './loop.tsx';

interface Props {
  src: string;
  poster?: string | undefined;
  /** What moves in it. */
  label: string;
  /** Size and shape of the whole; the video covers it. */
  className?: string | undefined;
}

/** A loop. Where autoplay is refused, fails, or motion is not wanted, its poster stays under a play button. */
export function VideoLoop({ src, poster, label, className }: Props) {
  const loop = useLoop();
  return (
    <div className={classes('relative overflow-hidden', className)}>
      <video
        {...loop.video}
        muted
        src={src}
        poster={poster}
        aria-label={label}
        className="needs-script size-full object-cover"
      >
        Your browser does not support the video tag.
      </video>
      <FilmWithoutScript src={src} poster={poster} label={label} />
      {loop.isStill ? <PlayButton label={label} onClick={loop.play} /> : <PauseButton loop={loop} label={label} />}
    </div>
  );
}
