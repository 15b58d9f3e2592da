import { useQueryClient } from '@tanstack/react-query';
import { FileImage, Play, Trash2 } from 'lucide-react';
import { memo, useCallback, useState } from 'react';
import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { RetryAllButton } from '../../sending/retry-all.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { RetryingImage } from '../../ui/retrying-image.tsx';
import { roundButtonClasses, UploadingPhotoTile } from '../../ui/photo-tile.tsx';
import { Badge, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { motionTexts } from '#contract/motion.ts';
import { useLoop } from '../../ui/use-loop.tsx';
import { useReducedMotion } from '../../ui/media-queries.ts';
import { AlikePhotos } from './alike-photos.tsx';
import { withSortedPhotos, removeUpload } from './limits-cache.ts';
import { showsOwnMotion } from './own-motion.ts';
import { isOnTheRight } from './pair-partner.ts';
import { PairSuggestion } from './photo-pair.tsx';
import { isPreviewPromised } from './preview-progress.ts';
import { listPhotoHints, measureImage, type PhotoMeasurements } from './photo-hints.ts';
import { PhotoViewer } from './photo-viewer.tsx';
import { SortedItems } from '../../ui/sorted-items.tsx';
import type { Uploads } from '../../sending/use-upload-queue.ts';

interface Props {
  frame: FrameLimits;
  uploads: Uploads;
  /** How many photos can still be replaced. */
  credits: number;
  hasPreviews: boolean;
}

/** The frame's photos in their order, followed by the photos that are uploading. */
export function PhotoGrid({ frame, uploads, credits, hasPreviews }: Props) {
  const prefersReducedMotion = useReducedMotion();
  const [wantsMotion, setWantsMotion] = useState<boolean>();
  const isPlaying = wantsMotion ?? !prefersReducedMotion;
  const [shownId, setShownId] = useState<string>();
  const [toDelete, setToDelete] = useState<UploadView>();
  const [looks] = useState(() => new Map<string, PhotoMeasurements>());
  const ongoingUploads = uploads.list.filter((it) => it.frameId === frame.deviceId);
  const mayChange = !frame.uploadFinalized;

  if (frame.uploads.length + ongoingUploads.length === 0) {
    if (!mayChange) return null; // the photos were deleted, which the page says above
    return (
      <div className="rounded-xl bg-linen/60">
        <EmptyState icon={<FileImage aria-hidden className="size-7" />} title="No photos yet">
          Your photos will show up here. You can look at them, put them in order and delete them until you tap I'm Done.
        </EmptyState>
      </div>
    );
  }
  return (
    <>
      <RetryAllButton sending={ongoingUploads} uploads={uploads} />
      {mayChange && <AlikePhotos frame={frame} onDelete={setToDelete} />}
      {mayChange && <PairSuggestion frame={frame} />}
      {frame.uploads.some((it) => it.preview?.url) && (
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="text-[0.9375rem] text-muted">
            These are short previews of your videos.{mayChange && ' Tap one to change how it moves.'}
          </p>
          <button type="button" className="link min-h-11" onClick={() => setWantsMotion(!isPlaying)}>
            {isPlaying ? 'Pause previews' : 'Play previews'}
          </button>
        </div>
      )}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-4">
        <Photos
          deviceId={frame.deviceId}
          photos={frame.uploads}
          mayChange={mayChange}
          looks={looks}
          hasPreviews={hasPreviews}
          plays={isPlaying}
          onShow={setShownId}
          onDelete={setToDelete}
        />
        {ongoingUploads.map((it) => (
          <UploadingPhotoTile
            key={it.id}
            sending={it}
            onRetry={() => uploads.retry([it])}
            onCancel={() => uploads.cancel(it)}
          />
        ))}
      </ul>
      {mayChange && frame.uploads.some((it) => !it.isLocked) && (
        <p className="text-[0.9375rem] text-muted">
          Tap a photo to add a title or choose what moves. Drag its handle to change the order.
        </p>
      )}
      <PhotoViewer
        deviceId={frame.deviceId}
        photos={frame.uploads}
        shownId={shownId}
        onShow={setShownId}
        hintsOfPhoto={(photo) => listPhotoHints(photo, looks.get(photo.id))}
        mayChange={mayChange}
        credits={credits}
        hasPreviews={hasPreviews}
        onDelete={setToDelete}
      />
      <DeletePhoto frameId={frame.deviceId} photo={toDelete} onClose={() => setToDelete(undefined)} />
    </>
  );
}

interface PhotosProps {
  deviceId: string;
  photos: readonly UploadView[];
  mayChange: boolean;
  /** The measurements of each photo, by its id. */
  looks: Map<string, PhotoMeasurements>;
  hasPreviews: boolean;
  /** Whether preview videos play in the grid. */
  plays: boolean;
  onShow: (id: string) => void;
  onDelete: (photo: UploadView) => void;
}

/**
 * The photos of the frame. There may be hundreds, so they render again only if one of them changes, and not with every
 * change of PhotoGrid.
 */
const Photos = memo(({ deviceId, photos, mayChange, looks, hasPreviews, plays, onShow, onDelete }: PhotosProps) => {
  const saveOrder = useSavePhotoOrder(deviceId);
  const renderTile = useCallback(
    (photo: UploadView) => (
      <PhotoTile
        photo={photo}
        isOnTheRight={isOnTheRight(photo, photos)}
        hasPreviews={hasPreviews}
        plays={plays}
        onShow={onShow}
        onMeasured={(measured) => looks.set(photo.id, measured)}
        {...(mayChange && !photo.isLocked && { onDelete })}
      />
    ),
    [photos, mayChange, looks, hasPreviews, plays, onShow, onDelete],
  );
  return (
    <>
      {/* Finalized photos come first and cannot be moved. */}
      {photos.map(
        (photo) =>
          photo.isLocked && (
            <li key={photo.id} className={`relative min-w-0 ${tileClass}`}>
              {renderTile(photo)}
            </li>
          ),
      )}
      <SortedItems
        noun="photo"
        items={photos.filter((it) => !it.isLocked)}
        idOf={(it) => it.id}
        nameOf={(it) => it.originalFileName}
        isLocked={!mayChange}
        onOrder={saveOrder}
        tile={renderTile}
        itemClass={tileClass}
      />
    </>
  );
});

/**
 * The classes of a photo's cell. The browser does not render cells outside the viewport. Focus rings are not clipped.
 */
const tileClass = 'aspect-square w-full [content-visibility:auto] [overflow-clip-margin:0.5rem]';

function PhotoTile(props: {
  photo: UploadView;
  /** Whether the photo is shown next to the one on its left, in the same video. */
  isOnTheRight: boolean;
  hasPreviews: boolean;
  plays: boolean;
  onShow: (id: string) => void;
  onMeasured: (looks: PhotoMeasurements) => void;
  onDelete?: (photo: UploadView) => void;
}) {
  const { photo, onMeasured } = props;
  const [looks, setLooks] = useState<PhotoMeasurements>();
  const hint = listPhotoHints(photo, looks)[0]?.short;
  const text = photo.isLocked
    ? undefined
    : (hint ?? (props.isOnTheRight ? undefined : describePlannedMotion(photo, props.hasPreviews)));
  const measureLoadedImage = (image: HTMLImageElement) =>
    runWhenIdle(() => {
      const measuredLooks = measureImage(image);
      if (!measuredLooks) return;
      setLooks(measuredLooks);
      onMeasured(measuredLooks);
    });
  return (
    <>
      <button
        type="button"
        aria-label={`View ${photo.originalFileName}`}
        onClick={() => props.onShow(photo.id)}
        className="block w-full overflow-hidden rounded-lg bg-clay focus-visible:rounded-lg"
      >
        <RetryingImage
          src={photo.thumbnailUrl}
          width={photo.width}
          height={photo.height}
          alt=""
          loading="lazy"
          decoding="async"
          onShown={measureLoadedImage}
          style={photo.focus ? { objectPosition: `${photo.focus.x * 100}% ${photo.focus.y * 100}%` } : undefined}
          className="aspect-square w-full object-cover transition-transform duration-300 ease-calm hover:scale-103"
        />
        {photo.preview?.url && props.plays && !props.isOnTheRight && (
          <TileVideo key={photo.preview.url} src={photo.preview.url} />
        )}
      </button>
      {props.isOnTheRight && <Badge className="pointer-events-none absolute top-2 left-2">Side by side</Badge>}
      {photo.isProcessed ? (
        <Badge tone="good" className="pointer-events-none absolute bottom-2 left-2">
          <Play aria-hidden className="size-3.5 fill-current" />
          Video ready
        </Badge>
      ) : photo.isWaiting ? (
        <Badge tone="warn" className="pointer-events-none absolute bottom-2 left-2">
          From your family
        </Badge>
      ) : photo.moves?.living === false && !photo.isLocked ? (
        <Badge className="pointer-events-none absolute bottom-2 left-2">Kept still</Badge>
      ) : (
        text && (
          <Badge {...(hint && { tone: 'warn' })} className="pointer-events-none absolute bottom-2 left-2">
            {text}
          </Badge>
        )
      )}
      {props.onDelete && (
        <button
          type="button"
          aria-label={`Delete ${photo.originalFileName}`}
          onClick={() => props.onDelete?.(photo)}
          className={`absolute top-2 right-2 ${roundButtonClasses}`}
        >
          <Trash2 aria-hidden className="size-5" />
        </button>
      )}
    </>
  );
}

/** The preview video on top of the photo. It plays while it is in the viewport. */
function TileVideo({ src }: { src: string }) {
  const { video } = useLoop();
  return <video {...video} muted src={src} aria-hidden className="absolute inset-0 size-full object-cover" />;
}

/** A short text about the planned motion. Undefined if the motion is not known. */
function describePlannedMotion(photo: UploadView, hasPreviews: boolean): string | undefined {
  if (photo.preview) return motionTexts[photo.preview.style].plan;
  if (showsOwnMotion(photo)) return motionTexts['own-motion'].plan;
  return isPreviewPromised(photo, hasPreviews) ? 'Making a preview' : undefined;
}

/** Runs `work` when the browser is idle, so that measuring photos does not slow down the page. */
const runWhenIdle = (work: () => void) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(work) : setTimeout(work, 200);

/** Saves a new order of the photos. Shows it at once. If the shop refuses it, the previous order appears again. */
function useSavePhotoOrder(deviceId: string) {
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const handleSessionEnd = useSessionEnd();
  const { queryKey } = limitsQuery();
  return (ids: string[]) => {
    showLimits((limits) => withSortedPhotos(limits, deviceId, ids));
    send('PUT /api/devices/:id/photo-order', { params: { id: deviceId }, body: { ids } })
      .catch((error: unknown) => {
        toast({ title: 'Photo order not saved', description: errorText(error), destructive: true });
        handleSessionEnd(error);
      })
      .finally(() => void queryClient.invalidateQueries({ queryKey }));
  };
}

/** Ignores `not-found`: the photo is already deleted, on another device or by a request whose response was lost. */
function ignoreNotFound(error: unknown) {
  if (!isRefusal(error, 'not-found')) throw error;
}

function DeletePhoto(props: { frameId: string; photo: UploadView | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const handleSessionEnd = useSessionEnd();
  const { photo, frameId } = props;
  const { queryKey } = limitsQuery();
  return (
    <ConfirmDialog
      open={photo !== undefined}
      onOpenChange={(open) => !open && props.onClose()}
      title="Delete this photo?"
      description={`Are you sure you want to delete "${photo?.originalFileName}"? This action cannot be undone.`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      destructive
      onConfirm={async () => {
        if (!photo) return;
        try {
          await send('DELETE /api/uploads/:id', { params: { id: photo.id } }).catch(ignoreNotFound);
        } catch (error) {
          const message = errorText(error, 'Failed to delete photo. Please try again.');
          toast({ title: 'Delete failed', description: message, destructive: true });
          handleSessionEnd(error);
          void queryClient.invalidateQueries({ queryKey });
          throw error;
        }
        showLimits((limits) => removeUpload(limits, frameId, photo.id));
        toast({ title: 'Photo deleted', description: photo.originalFileName });
        void queryClient.invalidateQueries({ queryKey });
      }}
    />
  );
}
