import { ChevronLeft, ChevronRight, Trash2 } from 'lucide-react';
import type { UploadView } from '#contract/frames.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useKeys } from '../../ui/keys.ts';
import { day, megabytes } from '../words.ts';

interface Props {
  photos: readonly UploadView[];
  /** The photo shown large; closed without one. */
  shownId: string | undefined;
  onShow: (id: string | undefined) => void;
  /** Absent where photos are locked. */
  onDelete?: (photo: UploadView) => void;
}

/** One photo, large; the arrow keys turn the pages. */
export function PhotoViewer(props: Props) {
  const place = props.photos.findIndex((it) => it.id === props.shownId);
  const photo = props.photos[place];
  return photo && <Shown {...props} photo={photo} place={place} />;
}

function Shown({ photos, photo, place, onShow, onDelete }: Props & { photo: UploadView; place: number }) {
  const turn = (by: number) => onShow(photos.at((place + by) % photos.length)?.id);
  useKeys({ ArrowLeft: () => turn(-1), ArrowRight: () => turn(1) });
  return (
    <Dialog
      open
      onOpenChange={() => onShow(undefined)}
      title={photo.originalFileName}
      description={`Photo ${place + 1} of ${photos.length} · added ${day(photo.uploadedAt)} · ${megabytes(photo.fileSize)}`}
      size="wide"
    >
      <img
        key={photo.id}
        src={photo.url}
        width={photo.width}
        height={photo.height}
        alt={photo.originalFileName}
        className="mx-auto mt-5 h-auto max-h-[62dvh] w-auto rounded-lg bg-clay object-contain"
      />
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3">
        <div className="flex gap-2">
          <Button look="secondary" onClick={() => turn(-1)} disabled={photos.length < 2} className="px-4">
            <ChevronLeft aria-hidden className="size-5" />
            <span className="max-sm:sr-only">Previous</span>
          </Button>
          <Button look="secondary" onClick={() => turn(1)} disabled={photos.length < 2} className="px-4">
            <span className="max-sm:sr-only">Next</span>
            <ChevronRight aria-hidden className="size-5" />
          </Button>
        </div>
        {onDelete && (
          <Button
            look="quiet"
            className="text-bad"
            onClick={() => {
              onShow(undefined);
              onDelete(photo);
            }}
          >
            <Trash2 aria-hidden className="size-5" />
            Delete photo
          </Button>
        )}
      </div>
    </Dialog>
  );
}
