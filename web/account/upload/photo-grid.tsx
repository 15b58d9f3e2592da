import { useQueryClient } from '@tanstack/react-query';
import { FileImage, RotateCw, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorWords, isRefusal } from '../../data/error-words.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Badge, EmptyState, ProgressBar } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { withoutUpload } from './limits-cache.ts';
import { PhotoViewer } from './photo-viewer.tsx';
import type { Sending, Uploads } from './use-uploads.ts';

const roundButton =
  'grid size-11 place-items-center rounded-full bg-paper/95 text-ink shadow-soft transition-colors hover:bg-card hover:text-bad focus-visible:rounded-full';

/** The frame's photos, and after them those on their way. */
export function PhotoGrid({ frame, uploads }: { frame: FrameLimits; uploads: Uploads }) {
  const [shownId, setShownId] = useState<string>();
  const [toDelete, setToDelete] = useState<UploadView>();
  const sending = uploads.list.filter((it) => it.frameId === frame.deviceId);
  const failed = sending.filter((it) => it.state.kind === 'failed');
  const mayDelete = !frame.uploadFinalized;

  if (frame.uploads.length + sending.length === 0) {
    return (
      <div className="rounded-xl bg-linen/60">
        <EmptyState icon={<FileImage aria-hidden className="size-7" />} title="No photos yet">
          The photos you add appear here. You can look at them and delete them until you are done.
        </EmptyState>
      </div>
    );
  }
  return (
    <>
      {failed.length > 1 && (
        <Button look="secondary" onClick={() => uploads.retry(failed)} className="max-sm:w-full">
          <RotateCw aria-hidden className="size-5" />
          Retry all {failed.length} photos
        </Button>
      )}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-4">
        {frame.uploads.map((photo) => (
          <li key={photo.id} className="relative">
            <button
              type="button"
              aria-label={`View ${photo.originalFileName}`}
              onClick={() => setShownId(photo.id)}
              className="block w-full overflow-hidden rounded-lg bg-clay focus-visible:rounded-lg"
            >
              <img
                src={photo.thumbnailUrl}
                width={photo.width}
                height={photo.height}
                alt=""
                loading="lazy"
                decoding="async"
                className="aspect-square w-full object-cover transition-transform duration-300 ease-calm hover:scale-103"
              />
            </button>
            {photo.isProcessed && (
              <Badge tone="good" className="absolute bottom-2 left-2">
                Video ready
              </Badge>
            )}
            {mayDelete && (
              <button
                type="button"
                aria-label={`Delete ${photo.originalFileName}`}
                onClick={() => setToDelete(photo)}
                className={`absolute top-2 right-2 ${roundButton}`}
              >
                <Trash2 aria-hidden className="size-5" />
              </button>
            )}
          </li>
        ))}
        {sending.map((it) => (
          <SendingTile
            key={it.id}
            sending={it}
            onRetry={() => uploads.retry([it])}
            onCancel={() => uploads.cancel(it)}
          />
        ))}
      </ul>
      <PhotoViewer
        photos={frame.uploads}
        shownId={shownId}
        onShow={setShownId}
        {...(mayDelete && { onDelete: setToDelete })}
      />
      <DeletePhoto frameId={frame.deviceId} photo={toDelete} onClose={() => setToDelete(undefined)} />
    </>
  );
}

function SendingTile(props: { sending: Sending; onRetry: () => void; onCancel: () => void }) {
  const { name, previewUrl, state } = props.sending;
  if (state.kind === 'failed') {
    return (
      <li className="flex flex-col rounded-lg bg-bad-soft p-2.5 text-[0.9375rem] leading-snug">
        <div className="flex items-center justify-between gap-1">
          <p className="min-w-0 truncate font-semibold">{name}</p>
          <button
            type="button"
            aria-label={`Remove ${name}`}
            onClick={props.onCancel}
            className="-mt-1.5 -mr-1.5 grid size-11 shrink-0 place-items-center rounded-full transition-colors hover:bg-card focus-visible:rounded-full"
          >
            <X aria-hidden className="size-5" />
          </button>
        </div>
        <p className="mb-3 text-sm break-words text-bad">{state.words}</p>
        <Button size="small" wide aria-label={`Retry ${name}`} onClick={props.onRetry} className="mt-auto px-2">
          <RotateCw aria-hidden className="size-4" />
          Retry
        </Button>
      </li>
    );
  }
  return (
    <li className="relative aspect-square overflow-hidden rounded-lg bg-linen">
      {previewUrl ? (
        <img src={previewUrl} alt="" decoding="async" className="size-full object-cover opacity-45" />
      ) : (
        <div className="grid size-full place-items-center pb-16 text-muted">
          <FileImage aria-hidden className="size-10" />
        </div>
      )}
      <button
        type="button"
        aria-label={`Cancel ${name}`}
        onClick={props.onCancel}
        className={`absolute top-2 right-2 ${roundButton}`}
      >
        <X aria-hidden className="size-5" />
      </button>
      <div className="absolute inset-x-0 bottom-0 bg-paper/95 p-2.5 text-[0.9375rem] leading-snug">
        <p className="truncate font-medium">{name}</p>
        <ProgressBar value={state.progress} label={`Uploading ${name}`} className="mt-1.5" />
        <p className="mt-1 text-sm text-muted">{progressWords(state.progress)}</p>
      </div>
    </li>
  );
}

function progressWords(progress: number) {
  if (progress === 0) return 'Waiting...';
  return progress < 1 ? `${Math.round(progress * 100)}%` : 'Almost done...';
}

/** Deleted on another device, or before an answer got lost: it is gone, as was asked. */
function unlessGone(error: unknown) {
  if (!isRefusal(error, 'not-found')) throw error;
}

function DeletePhoto(props: { frameId: string; photo: UploadView | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
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
        queryClient.setQueryData(queryKey, (limits) => limits && withoutUpload(limits, frameId, photo.id));
        toast({ title: 'Photo deleted', description: photo.originalFileName });
        void queryClient.invalidateQueries({ queryKey });
      }}
    />
  );
}
