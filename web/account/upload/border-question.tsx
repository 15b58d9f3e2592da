import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UploadView } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
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
  const [isKeeping, setIsKeeping] = useState(false);
  const { saveCrop, isSaving } = useSaveCrop(photo);
  const queryClient = useQueryClient();
  const showLimits = useShowLimits();
  const handleSessionEnd = useSessionEnd();
  const keepBorder = async () => {
    setIsKeeping(true);
    try {
      await send('PUT /api/uploads/:id', { params: { id: photo.id }, body: { keepsBorder: true } });
      showLimits((limits) => withPhotoChanges(limits, photo.id, { printArea: null }));
    } catch (error) {
      toast({ title: 'Not saved', description: errorText(error), destructive: true });
      handleSessionEnd(error);
      setIsKeeping(false);
    } finally {
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  return (
    <Card role="group" aria-labelledby="border-question" aria-describedby="border-hint">
      <div className="flex gap-4 sm:gap-6">
        <div className="flex size-24 shrink-0 items-center justify-center sm:size-36">
          <div
            className="relative max-h-full max-w-full overflow-hidden rounded-sm bg-clay"
            style={{ aspectRatio: `${photo.width} / ${photo.height}`, [longerSide(photo)]: '100%' }}
          >
            <RetryingImage src={photo.thumbnailUrl} alt={photo.originalFileName} className="size-full" />
            {/* The shadow covers everything outside the picture, as it will be cut off. */}
            <div
              aria-hidden
              className="absolute outline-2 outline-white shadow-[0_0_0_100vmax_rgb(0_0_0/0.5)]"
              style={{
                left: percent(area.left),
                top: percent(area.top),
                width: percent(area.width),
                height: percent(area.height),
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
          <div className="mt-4 flex flex-wrap gap-3">
            <Button
              disabled={isSaving || isKeeping}
              onClick={() => void saveCrop({ quarterTurns: photo.crop.quarterTurns, area })}
            >
              {isSaving ? 'Trimming...' : 'Trim it'}
            </Button>
            <Button look="secondary" disabled={isSaving || isKeeping} onClick={() => void keepBorder()}>
              Keep the border
            </Button>
          </div>
        </div>
      </div>
    </Card>
  );
}

const longerSide = ({ width, height }: UploadView) => (width >= height ? 'width' : 'height');
const percent = (part: number) => `${100 * part}%`;
