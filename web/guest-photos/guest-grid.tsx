import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { UploadView } from '#contract/frames.ts';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { RetryingImage } from '../ui/retrying-image.tsx';
import { roundButtonClasses, UploadingPhotoTile } from '../ui/photo-tile.tsx';
import { Badge } from '../ui/surfaces.tsx';
import { GuestCaption } from './guest-caption.tsx';
import { RetryAllButton } from '../sending/retry-all.tsx';
import type { Uploads } from '../sending/use-upload-queue.ts';

export type GuestPhoto = Pick<
  UploadView,
  'id' | 'url' | 'thumbnailUrl' | 'originalFileName' | 'width' | 'height' | 'isLocked' | 'isWaiting'
> & { caption?: string | null };

interface Props {
  photos: readonly GuestPhoto[];
  sending: Pick<Uploads, 'list' | 'retry' | 'cancel'>;
  /** Undefined if photos may not be deleted. If a deletion fails, the function shows the reason and rejects. */
  onDelete?: ((photo: GuestPhoto) => Promise<void>) | undefined;
  /** Undefined if the guest may not write titles. Only photos that wait for the customer get one. */
  onCaption?: ((photo: GuestPhoto, caption: string) => Promise<void>) | undefined;
  /** Returns the badge on a photo, if any. */
  badgeOf: (photo: GuestPhoto) => PhotoBadge | undefined;
}
export interface PhotoBadge {
  tone: 'good' | 'warn';
  words: string;
}

/** The uploaded photos, followed by the photos that are uploading. */
export function GuestGrid({ photos, sending, onDelete, onCaption, badgeOf }: Props) {
  const [shownId, setShownId] = useState<string>();
  const shownPhoto = photos.find((it) => it.id === shownId);
  const [toDelete, setToDelete] = useState<GuestPhoto>();
  return (
    <>
      <RetryAllButton sending={sending.list} uploads={sending} />
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4">
        {photos.map((photo) => (
          <li key={photo.id} className="relative">
            <button
              type="button"
              aria-label={`View ${photo.originalFileName}`}
              onClick={() => setShownId(photo.id)}
              className="block w-full overflow-hidden rounded-lg bg-clay focus-visible:rounded-lg"
            >
              <RetryingImage
                src={photo.thumbnailUrl}
                width={photo.width}
                height={photo.height}
                alt=""
                loading="lazy"
                decoding="async"
                className="aspect-square w-full object-cover"
              />
            </button>
            <PhotoOverlay badge={badgeOf(photo)} />
            {onDelete && !photo.isLocked && (
              <button
                type="button"
                aria-label={`Delete ${photo.originalFileName}`}
                onClick={() => setToDelete(photo)}
                className={`absolute top-2 right-2 ${roundButtonClasses}`}
              >
                <Trash2 aria-hidden className="size-5" />
              </button>
            )}
          </li>
        ))}
        {sending.list.map((it) => (
          <UploadingPhotoTile
            key={it.id}
            sending={it}
            onRetry={() => sending.retry([it])}
            onCancel={() => sending.cancel(it)}
          />
        ))}
      </ul>
      {shownPhoto && (
        <Dialog open onOpenChange={() => setShownId(undefined)} title={shownPhoto.originalFileName} size="wide">
          <img
            src={shownPhoto.url}
            width={shownPhoto.width}
            height={shownPhoto.height}
            alt={shownPhoto.originalFileName}
            className="mx-auto mt-5 h-auto max-h-[65dvh] w-auto rounded-lg bg-clay object-contain"
          />
          {onCaption && shownPhoto.isWaiting && !shownPhoto.isLocked && (
            <GuestCaption photo={shownPhoto} onSave={onCaption} onSaved={() => setShownId(undefined)} />
          )}
        </Dialog>
      )}
      <ConfirmDialog
        open={toDelete !== undefined}
        onOpenChange={(open) => !open && setToDelete(undefined)}
        title="Delete this photo?"
        description={`Are you sure you want to delete "${toDelete?.originalFileName}"? This action cannot be undone.`}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        destructive
        onConfirm={async () => {
          if (toDelete) await onDelete?.(toDelete);
        }}
      />
    </>
  );
}

const PhotoOverlay = ({ badge }: { badge: PhotoBadge | undefined }) =>
  badge && (
    <Badge tone={badge.tone} className="pointer-events-none absolute bottom-2 left-2">
      {badge.words}
    </Badge>
  );
