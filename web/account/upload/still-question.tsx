import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';
import { RetryingImage } from '../../ui/retrying-image.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { withStillPhotos } from './limits-cache.ts';
import { photoAnalysisQuery } from './photo-analysis-query.ts';

const isSetStill = (photo: UploadView) => photo.moves?.living === false;

/**
 * Asks once per frame, when a photo has a face, whether someone in the photos has died. People in the photos that the
 * customer chooses are kept still. In all other photos people blink and breathe. The customer can change the answer
 * until the frame is finalized. Photos without faces are not offered, because no one moves in them.
 */
export function StillQuestion({ frame }: { frame: FrameLimits }) {
  const [isChanging, setIsChanging] = useState(false);
  const openPhotos = frame.uploads.filter((it) => !it.isLocked);
  const isAsked = frame.stillAnsweredAt === null || isChanging;
  const showsFaces = useFaceDetection(isAsked ? openPhotos : []);
  const photos = openPhotos.filter((it) => isSetStill(it) || showsFaces(it));
  if (openPhotos.length === 0) return null;
  if (!isAsked) return <StillAnswer photos={openPhotos} onChange={() => setIsChanging(true)} />;
  if (photos.length === 0 && !isChanging) return null;
  return <Question frame={frame} photos={photos} onAnswered={() => setIsChanging(false)} />;
}

/**
 * Returns whether a photo shows faces, as far as it is known. Photos that were not analyzed yet are analyzed one after
 * the other.
 */
function useFaceDetection(photos: readonly UploadView[]): (photo: UploadView) => boolean {
  const queryClient = useQueryClient();
  const isPending = ({ id }: UploadView) =>
    (queryClient.getQueryState(photoAnalysisQuery(id).queryKey)?.status ?? 'pending') === 'pending';
  const nextPhoto = photos.find((it) => it.showsFaces === null && isPending(it));
  useQuery({ ...photoAnalysisQuery(nextPhoto?.id ?? ''), enabled: nextPhoto !== undefined, staleTime: Infinity });
  return ({ id, showsFaces }) =>
    showsFaces ?? (queryClient.getQueryData(photoAnalysisQuery(id).queryKey)?.faces.length ?? 0) > 0;
}

/** The customer's answer in one line, with a button to change it. */
function StillAnswer({ photos, onChange }: { photos: readonly UploadView[]; onChange: () => void }) {
  const count = photos.filter(isSetStill).length;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-[0.9375rem] text-muted">
      {count === 0
        ? 'People in your photos will blink and breathe.'
        : count === 1
          ? 'We’ll keep the people in 1 photo still.'
          : `We’ll keep the people in ${count} photos still.`}
      <button type="button" className="link min-h-11" onClick={onChange}>
        Change
      </button>
    </p>
  );
}

interface QuestionProps {
  frame: FrameLimits;
  photos: readonly UploadView[];
  onAnswered: () => void;
}
function Question({ frame, photos, onAnswered }: QuestionProps) {
  const [still, setStill] = useState<ReadonlySet<string>>(
    () => new Set(photos.filter(isSetStill).map((photo) => photo.id)),
  );
  const [isSaving, setIsSaving] = useState(false);
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const handleSessionEnd = useSessionEnd();
  const togglePhoto = (id: string) => {
    const nextStill = new Set(still);
    if (!nextStill.delete(id)) nextStill.add(id);
    setStill(nextStill);
  };
  const saveAnswers = async () => {
    // Photos that were deleted in the meantime are not part of the answer.
    const ids = photos.map((photo) => photo.id).filter((id) => still.has(id));
    setIsSaving(true);
    try {
      await send('PUT /api/devices/:id/still-photos', { params: { id: frame.deviceId }, body: { ids } });
      showLimits((limits) => withStillPhotos(limits, frame.deviceId, new Set(ids), new Date().toISOString()));
      for (const { id } of photos) queryClient.removeQueries({ queryKey: photoAnalysisQuery(id).queryKey });
      onAnswered();
    } catch (error) {
      toast({ title: 'Not saved', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    } finally {
      setIsSaving(false);
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  return (
    <Card role="group" aria-labelledby="still-question" aria-describedby="still-hint">
      <h2 id="still-question" className="title-3">
        Is someone in these photos no longer with us?
      </h2>
      <p id="still-hint" className="mt-2 text-muted">
        Tap their photos and we’ll keep them still. In all other photos, people blink and breathe.
      </p>
      {photos.length === 0 && <p className="mt-4">We see no faces in these photos, so no one moves in them.</p>}
      <ul className="mt-4 grid grid-cols-4 gap-2 sm:grid-cols-6 lg:grid-cols-8">
        {photos.map((photo) => (
          <li key={photo.id}>
            <StillToggle photo={photo} isStill={still.has(photo.id)} onToggle={() => togglePhoto(photo.id)} />
          </li>
        ))}
      </ul>
      <Button className="mt-5 max-sm:w-full" disabled={isSaving} onClick={() => void saveAnswers()}>
        {isSaving ? 'Saving...' : still.size === 0 ? 'No, let everyone move' : `Keep ${still.size} still`}
      </Button>
    </Card>
  );
}

function StillToggle({ photo, isStill, onToggle }: { photo: UploadView; isStill: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={isStill}
      aria-label={`Keep ${photo.caption ?? photo.originalFileName} still`}
      onClick={onToggle}
      className={joinClassNames(
        'relative block aspect-square w-full overflow-hidden rounded-lg bg-clay focus-visible:rounded-lg',
        isStill && 'ring-3 ring-accent ring-offset-2 ring-offset-card',
      )}
    >
      <RetryingImage src={photo.thumbnailUrl} alt="" loading="lazy" className="size-full object-cover" />
      {isStill && (
        <span className="absolute right-1 bottom-1 grid size-6 place-items-center rounded-full bg-accent text-paper">
          <Check aria-hidden className="size-4" />
        </span>
      )}
    </button>
  );
}
