import { ChevronLeft, ChevronRight, Clapperboard } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Picture } from '../../ui/picture.tsx';
import { VideoLoop } from '../../ui/video-loop.tsx';
import type { GalleryItem } from './gallery-grid.tsx';
import { findPosterUrl } from './poster.ts';

interface Props {
  item: GalleryItem;
  /** The item's position, from 1 to `count`. */
  place: number;
  count: number;
  onStep: (by: 1 | -1) => void;
  onClose: () => void;
}

/**
 * Shows the photo and its video side by side, with buttons for the previous and next item. Closes by its button, the
 * backdrop and Escape. The page behind it does not scroll.
 */
export default function GalleryModal({ item, place, count, onStep, onClose }: Props) {
  const picturesRef = useRef<HTMLDivElement>(null);
  const previousButton = useRef<HTMLButtonElement>(null);
  const nextButton = useRef<HTMLButtonElement>(null);
  const stepByKey = (by: 1 | -1) => {
    const { current: button } = by === 1 ? nextButton : previousButton;
    // The next item replaces both pictures. If the focus is on a button there, move it to a button that stays.
    if (picturesRef.current?.contains(document.activeElement)) button?.focus({ preventScroll: true });
    onStep(by);
  };
  useKeys({ ArrowLeft: () => stepByKey(-1), ArrowRight: () => stepByKey(1) });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={item.title} description={item.caption} size="wide">
      <div ref={picturesRef} key={item.id} className="mt-6 grid gap-5 md:grid-cols-2">
        <figure>
          <Picture
            src={item.beforeImage}
            alt={`${item.title}, the photo`}
            sizes="(min-width: 48rem) 30rem, 92vw"
            className="aspect-8/5 w-full rounded-lg"
          />
          <figcaption className="mt-2.5 font-semibold">Before</figcaption>
        </figure>
        <figure>
          {item.afterVideo ? (
            <VideoLoop
              src={item.afterVideo}
              poster={findPosterUrl(item)}
              label={`${item.title}, animated`}
              className="aspect-8/5 w-full rounded-lg bg-clay"
            />
          ) : (
            <div className="grid aspect-8/5 w-full place-items-center rounded-lg bg-linen p-6 text-center text-muted">
              <p>
                <Clapperboard aria-hidden className="mx-auto mb-3 size-8" />
                There’s no video of this picture yet.
              </p>
            </div>
          )}
          <figcaption className="mt-2.5 font-semibold">After</figcaption>
        </figure>
      </div>
      {count > 1 && (
        <div className="mt-6 flex items-center justify-between gap-4">
          <Button
            look="secondary"
            size="small"
            ref={previousButton}
            aria-label="Previous picture"
            onClick={() => onStep(-1)}
          >
            <ChevronLeft aria-hidden className="size-4.5" />
            Previous
          </Button>
          <p aria-live="polite" className="text-[0.9375rem] text-muted tabular-nums">
            {place} of {count}
          </p>
          <Button look="secondary" size="small" ref={nextButton} aria-label="Next picture" onClick={() => onStep(1)}>
            Next
            <ChevronRight aria-hidden className="size-4.5" />
          </Button>
        </div>
      )}
    </Dialog>
  );
}
