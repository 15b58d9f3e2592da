import { RotateCcw, RotateCw, Scan, Undo2 } from 'lucide-react';
import { useState } from 'react';
import {
  computeCroppedSize,
  isSameCrop,
  isUncropped,
  normalizeCrop,
  turnArea,
  wholePhotoCrop,
  wholePhotoArea,
} from '#contract/crop.ts';
import type { Crop } from '#contract/crop.ts';
import type { UploadView } from '#contract/frames.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { CropPicker } from './crop-picker.tsx';
import { lowResolutionText } from './photo-hints.ts';
import { useSaveCrop } from './use-save-crop.ts';

interface Props {
  photo: UploadView;
  onClose: () => void;
}

/**
 * Turns and crops a photo. If another window changes the photo in the meantime, the dialog begins again with that
 * change.
 */
export function CropDialog({ photo, onClose }: Props) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Turn and crop"
      description="Drag the corners around the part you want on the frame. Your original photo stays as it is."
      size="wide"
    >
      <Cropping key={photo.fileName} photo={photo} onClose={onClose} />
    </Dialog>
  );
}

function Cropping({ photo, onClose }: Props) {
  /** Every state since the dialog opened, for Undo. */
  const [drafts, setDrafts] = useState<readonly Crop[]>([photo.crop]);
  const [shown, setShown] = useState<Crop>();
  const draft = shown ?? drafts.at(-1)!;
  const addDraft = (crop: Crop) => {
    setShown(undefined);
    if (!isSameCrop(crop, drafts.at(-1)!)) setDrafts([...drafts, crop]);
  };
  const rotateBy = (by: number) =>
    addDraft({ quarterTurns: (draft.quarterTurns + by + 4) % 4, area: draft.area && turnArea(draft.area, by) });
  const { saveCrop, isSaving } = useSaveCrop(photo, onClose);
  const lowResolutionHint = lowResolutionText(computeCroppedSize(photo.whole, draft));
  return (
    <>
      <CropPicker
        photo={photo}
        quarterTurns={draft.quarterTurns}
        area={draft.area ?? wholePhotoArea}
        onMove={(area) => setShown({ ...draft, area })}
        onSet={(area) => addDraft({ ...draft, area })}
      />
      <div role="status">
        {lowResolutionHint !== undefined && <Notice className="mt-4">{lowResolutionHint}</Notice>}
      </div>
      <div className="mt-5 flex flex-wrap gap-2 sm:gap-3">
        <Button look="secondary" onClick={() => rotateBy(-1)}>
          <RotateCcw aria-hidden className="size-5" />
          Turn left
        </Button>
        <Button look="secondary" onClick={() => rotateBy(1)}>
          <RotateCw aria-hidden className="size-5" />
          Turn right
        </Button>
        <Button
          look="secondary"
          disabled={drafts.length < 2}
          onClick={() => {
            setShown(undefined);
            setDrafts(drafts.slice(0, -1));
          }}
        >
          <Undo2 aria-hidden className="size-5" />
          Undo
        </Button>
        <Button look="secondary" disabled={isUncropped(draft)} onClick={() => addDraft(wholePhotoCrop)}>
          <Scan aria-hidden className="size-5" />
          Whole photo
        </Button>
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          busy={isSaving}
          busyLabel="Saving..."
          disabled={isSameCrop(draft, photo.crop)}
          onClick={() => void saveCrop(normalizeCrop(draft))}
        >
          Save
        </Button>
      </div>
    </>
  );
}
