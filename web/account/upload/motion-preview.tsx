import { useEffect, useRef } from 'react';
import { panel } from '#contract/motion.ts';
import type { PlaceForm } from '#contract/photo-forms.ts';
import { useReducedMotion } from '../../ui/media-queries.ts';

interface Props {
  photo: { url: string; width: number; height: number };
  focus: PlaceForm;
  /** With faces in it a photo fills the frame even where more of it is lost. */
  hasFaces: boolean;
  /** To be written on the film. */
  title: string | undefined;
}

const shape = panel.width / panel.height;
/** As the renderer frames photos (adapters/animation/local/framing.ts). */
const leastInView = { blindly: 0.8, withHeads: 0.6 };

/** How the frame will show a photo: filled about the point, or whole, and coming slowly closer to it. */
export function MotionPreview({ photo, focus, hasFaces, title }: Props) {
  const picture = useRef<HTMLImageElement>(null);
  const isStill = useReducedMotion();
  const inView = {
    x: Math.min(1, (photo.height * shape) / photo.width),
    y: Math.min(1, photo.width / shape / photo.height),
  };
  const fills = inView.x * inView.y >= (hasFaces ? leastInView.withHeads : leastInView.blindly);
  useEffect(() => {
    if (isStill) return;
    const closer = picture.current?.animate(
      [{ transform: 'scale(1)' }, { transform: `scale(${fills ? 1.22 : 1.1})` }, { transform: 'scale(1)' }],
      { duration: 8000, iterations: Infinity, easing: 'ease-in-out' },
    );
    return () => closer?.cancel();
  }, [fills, isStill]);
  const at = { x: placeIn(focus.x, inView.x), y: placeIn(focus.y, inView.y) };
  return (
    <figure className="max-w-80">
      <div className="@container relative aspect-[16/10] overflow-hidden rounded-lg border-8 border-night bg-night">
        {!fills && (
          <img
            src={photo.url}
            alt=""
            className="absolute inset-0 size-full scale-110 object-cover opacity-60 blur-lg"
          />
        )}
        <img
          ref={picture}
          src={photo.url}
          alt=""
          style={
            fills
              ? {
                  objectPosition: `${at.x.position}% ${at.y.position}%`,
                  transformOrigin: `${at.x.inside * 100}% ${at.y.inside * 100}%`,
                }
              : { transformOrigin: `${focus.x * 100}% ${focus.y * 100}%` }
          }
          className={fills ? 'relative size-full object-cover' : 'relative size-full object-contain p-[3%]'}
        />
        {title !== undefined && (
          <p
            aria-hidden
            className="absolute bottom-0 left-0 max-w-[62%] bg-radial-[at_0%_100%] from-night/85 from-40% to-transparent px-[3.75cqw] pt-[4cqw] pb-[3.75cqw] font-serif text-[3.3cqw] leading-[1.2] text-paper"
          >
            <span className="line-clamp-2">{title}</span>
          </p>
        )}
      </div>
      <figcaption className="mt-1.5 text-sm text-muted">
        About how your frame will show it. The video itself moves more richly.
      </figcaption>
    </figure>
  );
}

/** Of one direction: where a crop about the point lies, as CSS says it, and where the point is inside of it. */
function placeIn(point: number, part: number) {
  const from = Math.min(1 - part, Math.max(0, point - part / 2));
  return { position: part >= 1 ? 50 : (from / (1 - part)) * 100, inside: (point - from) / part };
}
