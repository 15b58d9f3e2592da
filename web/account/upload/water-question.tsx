import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UploadView } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { useLoop } from '../../ui/use-loop.tsx';
import { RetryingImage } from '../../ui/retrying-image.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { withPhotoChanges } from './limits-cache.ts';
import { photoAnalysisQuery } from './photo-analysis-query.ts';

/**
 * Asks about one photo after the other whether it shows water, and lets the water ripple if the customer says so. The
 * dialog of the photo can change the answer until the frame is finalized.
 */
export function WaterQuestion({ photos }: { photos: readonly UploadView[] }) {
  const photo = photos.find((it) => it.mayShowWater && !it.isWaiting);
  return photo && <Question key={photo.id} photo={photo} />;
}

function Question({ photo }: { photo: UploadView }) {
  const [isSaving, setIsSaving] = useState(false);
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const handleSessionEnd = useSessionEnd();
  const saveAnswer = async (water: boolean) => {
    const allowedMotions = { living: null, water, candle: null };
    setIsSaving(true);
    try {
      await send('PUT /api/uploads/:id', { params: { id: photo.id }, body: { moves: allowedMotions } });
      showLimits((limits) => withPhotoChanges(limits, photo.id, { moves: allowedMotions }));
      queryClient.removeQueries({ queryKey: photoAnalysisQuery(photo.id).queryKey });
    } catch (error) {
      toast({ title: 'Not saved', description: errorText(error), destructive: true });
      handleSessionEnd(error);
      setIsSaving(false);
    } finally {
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  return (
    <Card role="group" aria-labelledby="water-question" aria-describedby="water-hint">
      <div className="flex gap-4 sm:gap-6">
        <div className="relative size-24 shrink-0 overflow-hidden rounded-lg bg-clay sm:size-36">
          <RetryingImage src={photo.thumbnailUrl} alt={photo.originalFileName} className="size-full object-cover" />
          {photo.preview?.url && <Preview key={photo.preview.url} src={photo.preview.url} />}
        </div>
        <div>
          <h2 id="water-question" className="title-3">
            Is this water?
          </h2>
          <p id="water-hint" className="mt-2 text-muted">
            If it is, we’ll make it flow in the video.
          </p>
          <div className="mt-4 flex flex-wrap gap-3">
            <Button disabled={isSaving} onClick={() => void saveAnswer(true)}>
              {isSaving ? 'Saving...' : 'Let it flow'}
            </Button>
            <Button look="secondary" disabled={isSaving} onClick={() => void saveAnswer(false)}>
              No, it isn’t
            </Button>
          </div>
        </div>
      </div>
    </Card>
  );
}

function Preview({ src }: { src: string }) {
  const { video } = useLoop();
  return <video {...video} muted src={src} aria-hidden className="absolute inset-0 size-full object-cover" />;
}
