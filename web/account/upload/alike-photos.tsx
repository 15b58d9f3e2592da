import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusAfterRemoval } from '../../ui/focus-position.ts';
import { RetryingImage } from '../../ui/retrying-image.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { withAlikeKept } from './limits-cache.ts';

/**
 * Points out photos of the frame that look alike, one group after the other. The customer may keep all of them, remove
 * some, or ignore the question.
 */
export function AlikePhotos(props: { frame: FrameLimits; onDelete: (photo: UploadView) => void }) {
  const { frame, onDelete } = props;
  const photosById = new Map(frame.uploads.map((it) => [it.id, it]));
  const alikePhotos = frame.alike
    .map((ids) => ids.flatMap((id) => photosById.get(id) ?? []))
    // Locked photos cannot be removed, so there is nothing to decide between them.
    .find((it) => it.length > 1 && it.some((photo) => !photo.isLocked));
  return (
    alikePhotos && (
      <Question key={alikePhotos[0]!.id} deviceId={frame.deviceId} photos={alikePhotos} onDelete={onDelete} />
    )
  );
}

interface Props {
  deviceId: string;
  photos: readonly UploadView[];
  onDelete: (photo: UploadView) => void;
}
function Question({ deviceId, photos, onDelete }: Props) {
  const titleId = useId();
  const [isSaving, setIsSaving] = useState(false);
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const handleSessionEnd = useSessionEnd();
  const group = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(group);
  const keepAlike = async () => {
    const ids = photos.map((it) => it.id);
    setIsSaving(true);
    try {
      await send('PUT /api/devices/:id/kept-photos', { params: { id: deviceId }, body: { ids } });
      showLimits((limits) => withAlikeKept(limits, deviceId, ids));
    } catch (error) {
      if (isRefusal(error, 'not-found')) return; // all of them were deleted in the meantime, for example in another tab
      toast({ title: 'Not saved', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    } finally {
      setIsSaving(false);
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  const isPair = photos.length === 2;
  return (
    <Card ref={group} role="group" aria-labelledby={titleId}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id={titleId} className="font-semibold">
          {isPair ? 'These two look alike. Keep both?' : `These ${photos.length} look alike. Keep all?`}
        </h3>
        <Button size="small" look="secondary" aria-disabled={isSaving} onClick={() => !isSaving && void keepAlike()}>
          {isSaving ? 'Saving...' : isPair ? 'Keep both' : 'Keep all'}
        </Button>
      </div>
      <ul className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
        {photos.map((photo) => (
          <AlikePhoto key={photo.id} photo={photo} onDelete={onDelete} />
        ))}
      </ul>
    </Card>
  );
}

function AlikePhoto({ photo, onDelete }: { photo: UploadView; onDelete: (photo: UploadView) => void }) {
  return (
    <li className="min-w-0">
      <RetryingImage
        src={photo.thumbnailUrl}
        alt={photo.originalFileName}
        loading="lazy"
        className="aspect-4/3 w-full rounded-lg bg-clay object-cover"
      />
      {photo.isLocked ? (
        <p className="mt-2 text-[0.9375rem] text-muted">In production</p>
      ) : (
        <button
          type="button"
          aria-label={`Remove this one: ${photo.originalFileName}`}
          className="link min-h-11"
          onClick={() => onDelete(photo)}
        >
          Remove this one
        </button>
      )}
    </li>
  );
}
