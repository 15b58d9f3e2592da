import { FileImage, RotateCw, X } from 'lucide-react';
import { Button } from './button.tsx';
import { useFocusAfterwards } from './focus-position.ts';
import { usePhotoPreviewUrl } from './heic/use-photo-preview-url.ts';
import { useLostFocus } from './lost-focus.ts';
import { ProgressBar } from './surfaces.tsx';

/** The classes of a round button over a photo. */
export const roundButtonClasses =
  'grid size-11 place-items-center rounded-full bg-paper/95 text-ink shadow-soft transition-colors hover:bg-card hover:text-bad focus-visible:rounded-full';

export interface UploadingTile {
  name: string;
  file: File;
  /** The object URL of the file. It shows the photo if the browser can display the format. */
  previewUrl: string;
  state:
    | { kind: 'sending'; progress: number; isWaiting?: boolean }
    /** `isUnusable`: the server will never accept this photo, so the customer can only remove it. */
    | { kind: 'failed'; words: string; isUnusable: boolean };
}

/** A photo that is uploading, or whose upload failed. */
export function UploadingPhotoTile(props: { sending: UploadingTile; onRetry: () => void; onCancel: () => void }) {
  const { name, file, previewUrl, state } = props.sending;
  const shownPreviewUrl = usePhotoPreviewUrl(file, previewUrl);
  const rememberFocus = useFocusAfterwards();
  const cancel = () => {
    rememberFocus();
    props.onCancel();
  };
  const { target: canceller, press } = useLostFocus<HTMLButtonElement>(state.kind);
  const retry = () => {
    press();
    props.onRetry();
  };
  if (state.kind === 'failed') {
    return (
      <li className="flex flex-col rounded-lg bg-bad-soft p-2.5 text-[0.9375rem] leading-snug">
        <div className="flex items-center justify-between gap-1">
          <p className="min-w-0 truncate font-semibold">{name}</p>
          {!state.isUnusable && (
            <button
              type="button"
              aria-label={`Remove ${name}`}
              onClick={cancel}
              className="-mt-1.5 -mr-1.5 grid size-11 shrink-0 place-items-center rounded-full transition-colors hover:bg-card focus-visible:rounded-full"
            >
              <X aria-hidden className="size-5" />
            </button>
          )}
        </div>
        <p className="mb-3 text-sm break-words text-bad">{state.words}</p>
        {state.isUnusable ? (
          <Button
            look="secondary"
            size="small"
            wide
            aria-label={`Remove ${name}`}
            onClick={cancel}
            className="mt-auto px-2"
          >
            <X aria-hidden className="size-4" />
            Remove
          </Button>
        ) : (
          <Button size="small" wide aria-label={`Retry ${name}`} onClick={retry} className="mt-auto px-2">
            <RotateCw aria-hidden className="size-4" />
            Retry
          </Button>
        )}
      </li>
    );
  }
  return (
    <li className="relative aspect-square overflow-hidden rounded-lg bg-linen">
      {shownPreviewUrl.url !== undefined ? (
        <img
          src={shownPreviewUrl.url}
          alt=""
          decoding="async"
          onError={shownPreviewUrl.onError}
          className="size-full object-cover opacity-45"
        />
      ) : (
        <div className="grid size-full place-items-center pb-16 text-muted">
          <FileImage aria-hidden className="size-10" />
        </div>
      )}
      <button
        ref={canceller}
        type="button"
        aria-label={`Cancel ${name}`}
        onClick={cancel}
        className={`absolute top-2 right-2 ${roundButtonClasses}`}
      >
        <X aria-hidden className="size-5" />
      </button>
      <div className="absolute inset-x-0 bottom-0 bg-paper/95 p-2.5 text-[0.9375rem] leading-snug">
        <p className="truncate font-medium">{name}</p>
        <ProgressBar value={state.progress} label={`Uploading ${name}`} className="mt-1.5" />
        <p className="mt-1 text-sm text-muted">{progressText(state)}</p>
      </div>
    </li>
  );
}

function progressText({ progress, isWaiting }: { progress: number; isWaiting?: boolean }) {
  if (isWaiting) return 'Waiting...';
  return progress < 1 ? `${Math.round(progress * 100)}%` : 'Almost done...';
}
