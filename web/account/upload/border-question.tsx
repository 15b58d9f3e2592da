import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UploadView } from '#contract/frames.ts';
import type { PhotoForm } from '#contract/photo-forms.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { RetryingImage } from '../../ui/retrying-image.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery, useShowLimits } from '../limits-query.ts';
import { withPhotoChanges } from './limits-cache.ts';
import { useSaveCrop } from './use-save-crop.ts';

/**
 * Asks about one photographed print after the other whether its paper border may be cropped. The dialog of the photo can
 * bring the border back until the frame is finalized.
 */
export function BorderQuestion({ photos }: { photos: readonly UploadView[] }) {
  const photo = photos.find((it) => it.printArea !== null && !it.isWaiting);
  return photo?.printArea && <Question key={photo.fileName} photo={photo} area={photo.printArea} />;
}

function Question({ photo, area }: { photo: UploadView; area: NonNullable<UploadView['printArea']> }) {
  const [isAnswering, setIsAnswering] = useState(false);
  const [isRepaired, setIsRepaired] = useState(true);
  const { saveCrop, isSaving } = useSaveCrop(photo);
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const handleSessionEnd = useSessionEnd();
  const savePhotoChanges = async (changes: Pick<PhotoForm, 'isRepaired' | 'keepsBorder'>): Promise<boolean> => {
    setIsAnswering(true);
    try {
      const changed = await send('PUT /api/uploads/:id', { params: { id: photo.id }, body: changes });
      showLimits((limits) => withPhotoChanges(limits, photo.id, changed));
      return true;
    } catch (error) {
      toast({ title: 'Not saved', description: errorText(error), destructive: true });
      handleSessionEnd(error);
      return false;
    } finally {
      setIsAnswering(false);
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  const trim = async () => {
    if (isRepaired && !(await savePhotoChanges({ isRepaired }))) return;
    await saveCrop({ quarterTurns: photo.crop.quarterTurns, area });
  };
  const isBusy = isSaving || isAnswering;
  return (
    <Card role="group" aria-labelledby="border-question" aria-describedby="border-hint">
      <div className="flex gap-4 sm:gap-6">
        <div className="flex size-24 shrink-0 items-center justify-center sm:size-36">
          <div
            className="relative max-h-full max-w-full overflow-hidden rounded-sm bg-clay"
            style={{ aspectRatio: `${photo.width} / ${photo.height}`, [findLongerSide(photo)]: '100%' }}
          >
            <RetryingImage src={photo.thumbnailUrl} alt={photo.originalFileName} className="size-full" />
            {/* The shadow covers everything outside the picture, as it will be cut off. */}
            <div
              aria-hidden
              className="absolute outline-2 outline-white shadow-[0_0_0_100vmax_rgb(0_0_0/0.5)]"
              style={{
                left: toPercent(area.left),
                top: toPercent(area.top),
                width: toPercent(area.width),
                height: toPercent(area.height),
              }}
            />
          </div>
        </div>
        <div>
          <h2 id="border-question" className="title-3">
            Trim the paper border?
          </h2>
          <p id="border-hint" className="mt-2 text-muted">
            This looks like a photo of a print. Without its border, the picture fills more of the frame. Your original
            photo stays as it is.
          </p>
          <Checkbox
            className="mt-3"
            label="Repair scratches and faded colors"
            checked={isRepaired}
            disabled={isBusy}
            onChange={(event) => setIsRepaired(event.currentTarget.checked)}
          />
          <div className="mt-4 flex flex-wrap gap-3">
            <Button disabled={isBusy} onClick={() => void trim()}>
              {isSaving ? 'Trimming...' : 'Trim it'}
            </Button>
            <Button
              look="secondary"
              disabled={isBusy}
              onClick={() => void savePhotoChanges({ keepsBorder: true, isRepaired })}
            >
              Keep the border
            </Button>
          </div>
        </div>
      </div>
    </Card>
  );
}

const findLongerSide = ({ width, height }: UploadView) => (width >= height ? 'width' : 'height');
const toPercent = (part: number) => `${100 * part}%`;
