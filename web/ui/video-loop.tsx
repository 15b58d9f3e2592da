import { joinClassNames } from './classes.ts';
import { VideoWithoutScript } from './video-without-script.tsx';
import { PauseButton, PlayButton, useLoop } from './use-loop.tsx';

interface Props {
  src: string;
  poster?: string | undefined;
  /** What the video shows, for screen readers. */
  label: string;
  /** Size and shape of the container. The video covers it. */
  className?: string | undefined;
}

/**
 * A looping video. Its poster with a play button stays if the browser blocks autoplay, the video fails, or the visitor
 * prefers reduced motion.
 */
export function VideoLoop({ src, poster, label, className }: Props) {
  const loop = useLoop();
  return (
    <div className={joinClassNames('relative overflow-hidden', className)}>
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
      <VideoWithoutScript src={src} poster={poster} label={label} />
      {loop.isStill ? <PlayButton label={label} onClick={loop.play} /> : <PauseButton loop={loop} label={label} />}
    </div>
  );
}
