import { useEffect, useRef } from 'react';
import type { UploadView } from '#contract/frames.ts';
import { framePanelSize } from '#contract/motion.ts';
import type { PhotoPositionForm } from '#contract/photo-forms.ts';
import { VideoLoop } from '../../ui/video-loop.tsx';
import { useReducedMotion } from '../../ui/media-queries.ts';

interface Props {
  photo: { url: string; width: number; height: number };
  focus: PhotoPositionForm;
  /** Whether the photo has faces. Such a photo may fill the frame even if more of it is cropped. */
  hasFaces: boolean;
  /** The title shown in the video. */
  title: string | undefined;
  /** A short preview video of the photo. */
  preview: UploadView['preview'];
  /** Whether a preview is being made. */
  isComing: boolean;
  label: string;
}

const panelAspectRatio = framePanelSize.width / framePanelSize.height;
/**
 * Which part of the photo must stay visible if it fills the frame. Approximates adapters/animation/local/framing.ts: an
 * upright photo of people mostly fills the frame too, because the camera moves along it.
 */
const leastInView = { blindly: 0.8, withHeads: 0.4 };

/** Shows how the frame will show a photo: by the preview video if there is one, otherwise by an approximation. */
export function MotionPreview({ preview, isComing, label, ...about }: Props) {
  return (
    <figure className="max-w-80">
      <div className="@container relative aspect-[16/10] overflow-hidden rounded-lg border-8 border-night bg-linen">
        {preview?.url ? (
          <VideoLoop key={preview.url} src={preview.url} label={`Preview: ${label}`} className="size-full" />
        ) : (
          <RoughPreview {...about} />
        )}
      </div>
      <figcaption className="mt-1.5 text-sm text-muted">
        <span role="status">
          {preview?.url
            ? 'A 3-second preview. The video is longer and sharper.'
            : isComing
              ? 'We’re making a preview. You can keep going.'
              : 'This is roughly how it will look on your frame. The real video has more movement.'}
        </span>
      </figcaption>
    </figure>
  );
}

/**
 * Approximates the video. The photo is cropped around the focus point, or shown whole in a paper mat, and zooms in
 * slowly.
 */
function RoughPreview({ photo, focus, hasFaces, title }: Omit<Props, 'preview' | 'isComing' | 'label'>) {
  const picture = useRef<HTMLImageElement>(null);
  const prefersReducedMotion = useReducedMotion();
  const visibleFractions = {
    x: Math.min(1, (photo.height * panelAspectRatio) / photo.width),
    y: Math.min(1, photo.width / panelAspectRatio / photo.height),
  };
  const doesFillScreen =
    visibleFractions.x * visibleFractions.y >= (hasFaces ? leastInView.withHeads : leastInView.blindly);
  useEffect(() => {
    if (prefersReducedMotion) return;
    const zoomAnimation = picture.current?.animate(
      [{ transform: 'scale(1)' }, { transform: `scale(${doesFillScreen ? 1.22 : 1.1})` }, { transform: 'scale(1)' }],
      { duration: 8000, iterations: Infinity, easing: 'ease-in-out' },
    );
    return () => zoomAnimation?.cancel();
  }, [doesFillScreen, prefersReducedMotion]);
  const cropOffset = {
    x: computeCropPosition(focus.x, visibleFractions.x),
    y: computeCropPosition(focus.y, visibleFractions.y),
  };
  return (
    <>
      <img
        ref={picture}
        src={photo.url}
        alt=""
        style={
          doesFillScreen
            ? {
                objectPosition: `${cropOffset.x.position}% ${cropOffset.y.position}%`,
                transformOrigin: `${cropOffset.x.inside * 100}% ${cropOffset.y.inside * 100}%`,
              }
            : { transformOrigin: `${focus.x * 100}% ${focus.y * 100}%` }
        }
        className={doesFillScreen ? 'relative size-full object-cover' : 'relative size-full object-contain p-[4.5%]'}
      />
      {title !== undefined && (
        <p
          aria-hidden
          className="absolute bottom-0 left-0 max-w-[62%] bg-radial-[at_0%_100%] from-night/85 from-40% to-transparent px-[3.75cqw] pt-[4cqw] pb-[3.75cqw] font-serif text-[3.3cqw] leading-[1.2] text-paper"
        >
          <span className="line-clamp-2">{title}</span>
        </p>
      )}
    </>
  );
}

/**
 * For one axis: the CSS position of a crop around the point, in percent, and the point's position in the crop, 0 to 1.
 */
function computeCropPosition(point: number, part: number) {
  const visibleStart = Math.min(1 - part, Math.max(0, point - part / 2));
  return { position: part >= 1 ? 50 : (visibleStart / (1 - part)) * 100, inside: (point - visibleStart) / part };
}
