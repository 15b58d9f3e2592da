import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type ComparedField, findDifferences } from './compared-fields.ts';
import { DifferingTexts } from './differing-texts.tsx';

interface Props {
  title?: string;
  description?: string;
  mine: ComparedField[];
  theirs: ComparedField[];
  onKeepMine: () => Promise<void>;
  onTakeTheirs: () => void;
  onClose: () => void;
}

/** Shows the owner's version and the version that someone else saved first. Saves nothing until the owner chooses. */
export function ConflictDialog(props: Props) {
  const { mine, theirs, onKeepMine, onTakeTheirs, onClose } = props;
  const {
    title = 'Someone else saved this section',
    description = 'It was saved in another tab or by someone else after you opened it. Nothing was overwritten. Which version should visitors see?',
  } = props;
  const foundDifferences = findDifferences(mine, theirs);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="wide"
      title={title}
      description={description}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Keep editing
          </Button>
          <Button look="secondary" onClick={onTakeTheirs}>
            Use theirs
          </Button>
          <Button onClick={() => void onKeepMine()}>Save mine instead</Button>
        </>
      }
    >
      <div className="mt-6">
        <DifferingTexts found={foundDifferences} mine="Yours" theirs="Theirs, as saved" />
      </div>
    </Dialog>
  );
}
