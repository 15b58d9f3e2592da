import { useState } from 'react';
import { joinClassNames } from './classes.ts';
import { VideoWithoutScript } from './video-without-script.tsx';
import { PauseButton, useLoop } from './use-loop.tsx';

interface Props {
  title: string;
  photoUrl: string;
  /** contain: the whole photo is visible. cover: the photo is cropped, like the video. */
  photoFit: 'contain' | 'cover';
  videoUrl: string;
  posterUrl: string | undefined;
}

/** The photo over the video made from it, with a slider that moves the line between them. Fills its container. */
export function BeforeAfter({ title, photoUrl, photoFit, videoUrl, posterUrl }: Props) {
  const loop = useLoop();
  const [percent, setPercent] = useState(50);
  return (
    <>
      {/* Do not use the video's `poster` attribute: browsers load it at once, even far below the visible part. */}
      {posterUrl !== undefined && (
        <img src={posterUrl} alt="" loading="lazy" className="absolute inset-0 size-full object-contain" />
      )}
      <video
        {...loop.video}
        muted
        src={videoUrl}
        aria-label={`${title}, the video`}
        className="needs-script relative size-full object-contain"
      />
      <img
        src={photoUrl}
        alt={`${title} as it was taken`}
        loading="lazy"
        className={joinClassNames(
          'absolute inset-0 size-full bg-black',
          photoFit === 'cover' ? 'object-cover' : 'object-contain',
        )}
        style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }}
      />
      <Label className="left-3">Photo</Label>
      <Label className="right-3">Video</Label>
      <span
        aria-hidden
        className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-paper shadow-lifted"
        style={{ left: `${percent}%` }}
      >
        <span className="absolute top-1/2 left-1/2 grid size-11 -translate-1/2 place-items-center rounded-full bg-paper font-semibold text-ink">
          ↔
        </span>
      </span>
      <input
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-label="How much of the photo to show"
        onChange={(event) => setPercent(Number(event.target.value))}
        className="needs-script before-after ring-inside absolute inset-0 size-full cursor-ew-resize"
      />
      <PauseButton loop={loop} label={title} />
      <VideoWithoutScript src={videoUrl} poster={posterUrl} label={`${title}, the video`} />
    </>
  );
}

const Label = ({ className, children }: { className: string; children: string }) => (
  <span
    aria-hidden
    className={joinClassNames(
      'absolute top-3 rounded-full bg-night/70 px-3 py-1 text-sm font-semibold text-paper',
      className,
    )}
  >
    {children}
  </span>
);
