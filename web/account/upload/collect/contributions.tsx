import { Check, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { CollectLinkView } from '#contract/collect.ts';
import { countText } from '#contract/count-text.ts';
import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { RetryingImage } from '../../../ui/retrying-image.tsx';
import { useLostFocus } from '../../../ui/lost-focus.ts';

interface ContributionsProps {
  frame: FrameLimits;
  contributions: CollectLinkView['contributions'];
  busy: boolean;
  onAccept: (ids: string[]) => void;
  onRemove: (photo: UploadView) => Promise<void>;
}

/** The photos of each contributor. Before the frame is finalized, the customer accepts or removes waiting photos. */
export function Contributions({ frame, contributions, busy, onAccept, onRemove }: ContributionsProps) {
  const [toRemove, setToRemove] = useState<UploadView>();
  const waitingPhotos = contributions.flatMap(({ photos }) => photos.filter((it) => it.isWaiting));
  const { target: first, press } = useLostFocus<HTMLHeadingElement>(waitingPhotos.length);
  if (contributions.length === 0) return null;
  return (
    <div className="mt-6 border-t border-hair pt-5">
      {waitingPhotos.length > 0 && !frame.uploadFinalized && (
        <div className="mb-5 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-accent-soft p-4">
          <p className="font-medium" role="status">
            {countText(waitingPhotos.length, 'photo')} from your family {waitingPhotos.length === 1 ? 'is' : 'are'}{' '}
            waiting for you to accept.
          </p>
          {waitingPhotos.length > 1 && (
            <Button
              size="small"
              aria-disabled={busy || undefined}
              onClick={() => {
                press();
                onAccept(waitingPhotos.map((it) => it.id));
              }}
            >
              Accept all {waitingPhotos.length}
            </Button>
          )}
        </div>
      )}
      <ul className="space-y-6">
        {contributions.map(({ id, firstName, photos }, index) => (
          <li key={id}>
            <h3
              ref={index === 0 ? first : undefined}
              tabIndex={-1}
              className="font-sans text-base font-semibold tracking-normal"
            >
              {firstName} <span className="font-normal text-muted">added {countText(photos.length, 'photo')}</span>
            </h3>
            <ul className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-4">
              {photos.map((photo) => (
                <Contribution
                  key={photo.id}
                  photo={photo}
                  firstName={firstName}
                  frame={frame}
                  busy={busy}
                  onAccept={() => onAccept([photo.id])}
                  onRemove={() => setToRemove(photo)}
                />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={toRemove !== undefined}
        onOpenChange={(open) => !open && setToRemove(undefined)}
        title="Remove this photo?"
        description={`Are you sure you want to delete "${toRemove?.originalFileName}"? This action cannot be undone.`}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        destructive
        onConfirm={() => (toRemove ? onRemove(toRemove) : undefined)}
      />
    </div>
  );
}

interface ContributionProps extends Pick<ContributionsProps, 'frame' | 'busy'> {
  photo: UploadView;
  firstName: string;
  onAccept: () => void;
  onRemove: () => void;
}

function Contribution({ photo, firstName, frame, busy, onAccept, onRemove }: ContributionProps) {
  const awaitsAnswer = photo.isWaiting && !photo.isLocked && !frame.uploadFinalized;
  const { target: answer, press } = useLostFocus<HTMLParagraphElement>(awaitsAnswer);
  const busyProps = { 'aria-disabled': busy || undefined };
  const buttonClasses = 'min-h-11 aria-disabled:cursor-not-allowed aria-disabled:opacity-55';
  return (
    <li className="overflow-hidden rounded-lg border border-hair bg-linen">
      <RetryingImage
        src={photo.thumbnailUrl}
        width={photo.width}
        height={photo.height}
        alt={`${photo.originalFileName}, from ${firstName}`}
        loading="lazy"
        decoding="async"
        className="aspect-square w-full object-cover"
      />
      {photo.caption !== null && <p className="px-3 pt-2 text-[0.9375rem] wrap-anywhere">{photo.caption}</p>}
      {awaitsAnswer ? (
        <div className="flex">
          <button
            type="button"
            {...busyProps}
            aria-label={`Accept ${photo.originalFileName} from ${firstName}`}
            onClick={() => {
              press();
              onAccept();
            }}
            className={`flex flex-1 items-center justify-center gap-1.5 text-[0.9375rem] font-semibold text-good hover:bg-good-soft ${buttonClasses}`}
          >
            <Check aria-hidden className="size-4.5" />
            Accept
          </button>
          <button
            type="button"
            {...busyProps}
            aria-label={`Remove ${photo.originalFileName} from ${firstName}`}
            onClick={() => !busy && onRemove()}
            className={`grid w-12 place-items-center border-l border-hair text-bad hover:bg-bad-soft ${buttonClasses}`}
          >
            <Trash2 aria-hidden className="size-4.5" />
          </button>
        </div>
      ) : (
        <p
          ref={answer}
          tabIndex={-1}
          className="flex min-h-11 items-center justify-center text-[0.9375rem] text-muted -outline-offset-4"
        >
          In {frame.deviceName}
        </p>
      )}
    </li>
  );
}
