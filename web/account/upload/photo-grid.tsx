import { useQueryClient } from '@tanstack/react-query';
import { FileImage, Play, Trash2 } from 'lucide-react';
import { memo, useCallback, useState } from 'react';
import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorWords, isRefusal } from '../../data/error-words.ts';
import { RetryAll } from '../../sending/retry-all.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { LastingImage } from '../../ui/lasting-image.tsx';
import { roundButton, SendingTile } from '../../ui/photo-tile.tsx';
import { Badge, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { withOrder, withoutUpload } from './limits-cache.ts';
import { hintsOf, looksOf, type Looks } from './photo-hints.ts';
import { PhotoViewer } from './photo-viewer.tsx';
import { SortedItems } from '../../ui/sorted-items.tsx';
import type { Uploads } from '../../sending/use-sending.ts';

/** The frame's photos, in their order, and after them those on their way. */
export function PhotoGrid({ frame, uploads, credits }: { frame: FrameLimits; uploads: Uploads; credits: number }) {
  const [shownId, setShownId] = useState<string>();
  const [toDelete, setToDelete] = useState<UploadView>();
  const [looks] = useState(() => new Map<string, Looks>());
  const sending = uploads.list.filter((it) => it.frameId === frame.deviceId);
  const mayChange = !frame.uploadFinalized;

  if (frame.uploads.length + sending.length === 0) {
    return (
      <div className="rounded-xl bg-linen/60">
        <EmptyState icon={<FileImage aria-hidden className="size-7" />} title="No photos yet">
          The photos you add appear here. You can look at them, put them in order and delete them until you are done.
        </EmptyState>
      </div>
    );
  }
  return (
    <>
      <RetryAll sending={sending} uploads={uploads} />
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-4">
        <Photos
          deviceId={frame.deviceId}
          photos={frame.uploads}
          mayChange={mayChange}
          looks={looks}
          onShow={setShownId}
          onDelete={setToDelete}
        />
        {sending.map((it) => (
          <SendingTile
            key={it.id}
            sending={it}
            onRetry={() => uploads.retry([it])}
            onCancel={() => uploads.cancel(it)}
          />
        ))}
      </ul>
      {mayChange && frame.uploads.some((it) => !it.isLocked) && (
        <p className="text-[0.9375rem] text-muted">
          Tap a photo to give it a title and say what may move. Drag it by its grip to put it in another place.
        </p>
      )}
      <PhotoViewer
        photos={frame.uploads}
        shownId={shownId}
        onShow={setShownId}
        hintsOfPhoto={(photo) => hintsOf(photo, looks.get(photo.id))}
        mayChange={mayChange}
        credits={credits}
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
  /** What was measured of each photo, by its id. */
  looks: Map<string, Looks>;
  onShow: (id: string) => void;
  onDelete: (photo: UploadView) => void;
}

/** Hundreds of them: drawn again when one of them changes, not with whatever opens or moves beside them. */
const Photos = memo(({ deviceId, photos, mayChange, looks, onShow, onDelete }: PhotosProps) => {
  const saveOrder = useOrder(deviceId);
  const tile = useCallback(
    (photo: UploadView) => (
      <PhotoTile
        photo={photo}
        onShow={onShow}
        onMeasured={(measured) => looks.set(photo.id, measured)}
        {...(mayChange && !photo.isLocked && { onDelete })}
      />
    ),
    [mayChange, looks, onShow, onDelete],
  );
  return (
    <>
      {/* Those that were finalized stay where they are, before the others. */}
      {photos.map(
        (photo) =>
          photo.isLocked && (
            <li key={photo.id} className={`relative min-w-0 ${place}`}>
              {tile(photo)}
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
        tile={tile}
        itemClass={place}
      />
    </>
  );
});

/** What is out of sight costs nothing, and its focus ring is not cut off. */
const place = 'aspect-square w-full [content-visibility:auto] [overflow-clip-margin:0.5rem]';

function PhotoTile(props: {
  photo: UploadView;
  onShow: (id: string) => void;
  onMeasured: (looks: Looks) => void;
  onDelete?: (photo: UploadView) => void;
}) {
  const { photo, onMeasured } = props;
  const [looks, setLooks] = useState<Looks>();
  const hint = hintsOf(photo, looks)[0]?.short;
  const measure = (image: HTMLImageElement) =>
    whenIdle(() => {
      const measured = looksOf(image);
      if (!measured) return;
      setLooks(measured);
      onMeasured(measured);
    });
  return (
    <>
      <button
        type="button"
        aria-label={`View ${photo.originalFileName}`}
        onClick={() => props.onShow(photo.id)}
        className="block w-full overflow-hidden rounded-lg bg-clay focus-visible:rounded-lg"
      >
        <LastingImage
          src={photo.thumbnailUrl}
          width={photo.width}
          height={photo.height}
          alt=""
          loading="lazy"
          decoding="async"
          onShown={measure}
          style={photo.focus ? { objectPosition: `${photo.focus.x * 100}% ${photo.focus.y * 100}%` } : undefined}
          className="aspect-square w-full object-cover transition-transform duration-300 ease-calm hover:scale-103"
        />
      </button>
      {photo.isProcessed ? (
        <Badge tone="good" className="pointer-events-none absolute bottom-2 left-2">
          <Play aria-hidden className="size-3.5 fill-current" />
          Video ready
        </Badge>
      ) : photo.isWaiting ? (
        <Badge tone="warn" className="pointer-events-none absolute bottom-2 left-2">
          From your family
        </Badge>
      ) : (
        hint &&
        !photo.isLocked && (
          <Badge tone="warn" className="pointer-events-none absolute bottom-2 left-2">
            {hint}
          </Badge>
        )
      )}
      {props.onDelete && (
        <button
          type="button"
          aria-label={`Delete ${photo.originalFileName}`}
          onClick={() => props.onDelete?.(photo)}
          className={`absolute top-2 right-2 ${roundButton}`}
        >
          <Trash2 aria-hidden className="size-5" />
        </button>
      )}
    </>
  );
}

/** Measured when the page has nothing else to do. */
const whenIdle = (work: () => void) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(work) : setTimeout(work, 200);

/** The new order is shown at once, and what the shop has where it does not take it. */
function useOrder(deviceId: string) {
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const noteEnd = useSessionEnd();
  const { queryKey } = limitsQuery();
  return (ids: string[]) => {
    showLimits((limits) => withOrder(limits, deviceId, ids));
    send('PUT /api/devices/:id/photo-order', { params: { id: deviceId }, body: { ids } })
      .catch((error: unknown) => {
        toast({ title: 'Order not saved', description: errorWords(error), destructive: true });
        noteEnd(error);
      })
      .finally(() => void queryClient.invalidateQueries({ queryKey }));
  };
}

/** Deleted on another device, or before an answer got lost: it is gone, as was asked. */
function unlessGone(error: unknown) {
  if (!isRefusal(error, 'not-found')) throw error;
}

function DeletePhoto(props: { frameId: string; photo: UploadView | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const noteEnd = useSessionEnd();
  const { photo, frameId } = props;
  const { queryKey } = limitsQuery();
  return (
    <ConfirmDialog
      open={photo !== undefined}
      onOpenChange={(open) => !open && props.onClose()}
      title="Delete this photo?"
      description={`Are you sure you want to delete "${photo?.originalFileName}"? This action cannot be undone.`}
      confirmWords="Delete"
      busyWords="Deleting..."
      destructive
      onConfirm={async () => {
        if (!photo) return;
        try {
          await send('DELETE /api/uploads/:id', { params: { id: photo.id } }).catch(unlessGone);
        } catch (error) {
          const words = errorWords(error, 'Failed to delete photo. Please try again.');
          toast({ title: 'Delete failed', description: words, destructive: true });
          noteEnd(error);
          void queryClient.invalidateQueries({ queryKey });
          throw error;
        }
        showLimits((limits) => withoutUpload(limits, frameId, photo.id));
        toast({ title: 'Photo deleted', description: photo.originalFileName });
        void queryClient.invalidateQueries({ queryKey });
      }}
    />
  );
}
