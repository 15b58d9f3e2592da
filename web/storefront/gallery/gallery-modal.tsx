import { Clapperboard } from 'lucide-react';
import { madePicture } from '../../media.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Picture } from '../../ui/picture.tsx';
import { VideoLoop } from '../../ui/video-loop.tsx';
import type { GalleryItem } from './gallery-grid.tsx';

/** Before and after, side by side. Closes by its button, the backdrop and Escape; the page behind stands still. */
export default function GalleryModal({ item, onClose }: { item: GalleryItem; onClose: () => void }) {
  const poster = madePicture(item.beforeImage);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={item.title} description={item.caption} size="wide">
      <div className="mt-6 grid gap-5 md:grid-cols-2">
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
              poster={poster ? `/media/${poster.name}-800.webp` : item.beforeImage}
              label={`${item.title}, animated`}
              className="aspect-8/5 w-full rounded-lg bg-clay"
            />
          ) : (
            <div className="grid aspect-8/5 w-full place-items-center rounded-lg bg-linen p-6 text-center text-muted">
              <p>
                <Clapperboard aria-hidden className="mx-auto mb-3 size-8" />
                This animation is on its way.
              </p>
            </div>
          )}
          <figcaption className="mt-2.5 font-semibold">After</figcaption>
        </figure>
      </div>
    </Dialog>
  );
}
