import { ChevronLeft, ChevronRight, Crop, Download, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { dayText } from '#contract/calendar.ts';
import type { UploadView } from '#contract/frames.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { isInTopDialog, useKeys } from '../../ui/keys.ts';
import { useReducedMotion } from '../../ui/media-queries.ts';
import { megabytesText } from '../purchase-text.ts';
import { CropDialog } from './crop-dialog.tsx';
import { isOnTheRight } from './pair-partner.ts';
import { PairChoice } from './photo-pair.tsx';
import type { PhotoHint } from './photo-hints.ts';
import { PhotoWishes } from './photo-wishes.tsx';
import { ReplacePhoto } from './replace-photo.tsx';

interface Props {
  deviceId: string;
  photos: readonly UploadView[];
  /** The photo that is shown large. Undefined: the viewer is closed. */
  shownId: string | undefined;
  onShow: (id: string | undefined) => void;
  hintsOfPhoto: (photo: UploadView) => readonly PhotoHint[];
  /** Whether photos that are not locked may be changed. */
  mayChange: boolean;
  /** How many photos can still be replaced. */
  credits: number;
  hasPreviews: boolean;
  /** Opens a confirmation above the viewer. The viewer stays open until the photo is deleted. */
  onDelete: (photo: UploadView) => void;
}

/**
 * A dialog with one large photo. The arrow keys show the previous or next photo. Until the photo is locked, the
 * customer can enter a title, a focus point and a motion here.
 */
export function PhotoViewer(props: Props) {
  const shownIndex = props.photos.findIndex((it) => it.id === props.shownId);
  const photo = props.photos[shownIndex];
  return photo && <ViewedPhoto {...props} photo={photo} place={shownIndex} />;
}

function ViewedPhoto({
  deviceId,
  photos,
  photo,
  place,
  onShow,
  onDelete,
  hintsOfPhoto,
  mayChange,
  credits,
  hasPreviews,
}: Props & { photo: UploadView; place: number }) {
  const [showsVideo, setShowsVideo] = useState(true);
  const [isCropping, setIsCropping] = useState(false);
  const isChangeable = mayChange && !photo.isLocked;
  const prefersReducedMotion = useReducedMotion();
  const showPhotoAfter = (by: number) => onShow(photos.at((place + by) % photos.length)?.id);
  const pagesRef = useRef<HTMLDivElement>(null);
  useKeys(
    { ArrowLeft: () => showPhotoAfter(-1), ArrowRight: () => showPhotoAfter(1) },
    { when: () => isInTopDialog(pagesRef.current) },
  );
  return (
    <Dialog
      open
      onOpenChange={() => onShow(undefined)}
      title={photo.originalFileName}
      description={`Photo ${place + 1} of ${photos.length} · added ${dayText(photo.uploadedAt)} · ${megabytesText(photo.fileSize)}`}
      size="wide"
    >
      {isChangeable ? (
        <PhotoWishes
          key={photo.fileName}
          photo={photo}
          hints={hintsOfPhoto(photo)}
          hasPreviews={hasPreviews && !isOnTheRight(photo, photos)}
        />
      ) : photo.video && showsVideo ? (
        <video
          key={photo.id}
          src={photo.video.url}
          poster={photo.video.posterUrl}
          aria-label={`Video of ${photo.originalFileName}`}
          controls
          autoPlay={!prefersReducedMotion}
          loop
          muted
          playsInline
          className="mx-auto mt-5 aspect-[16/10] max-h-[62dvh] w-auto max-w-full rounded-lg bg-night object-contain"
        >
          Your browser does not support the video tag.
        </video>
      ) : (
        <img
          key={photo.id}
          src={photo.url}
          width={photo.width}
          height={photo.height}
          alt={photo.originalFileName}
          className="mx-auto mt-5 h-auto max-h-[62dvh] w-auto rounded-lg bg-clay object-contain"
        />
      )}
      {isChangeable && <PairChoice key={photo.id} deviceId={deviceId} photos={photos} photo={photo} />}
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3">
        <div ref={pagesRef} className="flex gap-2">
          <Button look="secondary" onClick={() => showPhotoAfter(-1)} disabled={photos.length < 2} className="px-4">
            <ChevronLeft aria-hidden className="size-5" />
            <span className="max-sm:sr-only">Previous</span>
          </Button>
          <Button look="secondary" onClick={() => showPhotoAfter(1)} disabled={photos.length < 2} className="px-4">
            <span className="max-sm:sr-only">Next</span>
            <ChevronRight aria-hidden className="size-5" />
          </Button>
        </div>
        {photo.video && (
          <div className="flex flex-wrap gap-2">
            <Button look="secondary" aria-pressed={!showsVideo} onClick={() => setShowsVideo(!showsVideo)}>
              {showsVideo ? 'See the photo' : 'See the video'}
            </Button>
            <LinkButton to={photo.video.downloadUrl} download>
              <Download aria-hidden className="size-5" />
              Download
            </LinkButton>
          </div>
        )}
        {photo.video && credits > 0 && (
          <ReplacePhoto photo={photo} credits={credits} onReplaced={() => onShow(undefined)} />
        )}
        {isChangeable && (
          <div className="flex flex-wrap gap-2">
            <Button look="secondary" onClick={() => setIsCropping(true)}>
              <Crop aria-hidden className="size-5" />
              Turn or crop
            </Button>
            <Button look="quiet" className="text-bad" onClick={() => onDelete(photo)}>
              <Trash2 aria-hidden className="size-5" />
              Delete photo
            </Button>
          </div>
        )}
      </div>
      {isChangeable && isCropping && <CropDialog photo={photo} onClose={() => setIsCropping(false)} />}
    </Dialog>
  );
}
