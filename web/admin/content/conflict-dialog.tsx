import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type ComparedField, differences } from './compared-fields.ts';
import { DifferingWords } from './differing-words.tsx';

interface Props {
  title?: string;
  description?: string;
  mine: ComparedField[];
  theirs: ComparedField[];
  onKeepMine: () => Promise<void>;
  onTakeTheirs: () => void;
  onClose: () => void;
}

/** Somebody else saved first: both versions side by side, and nothing is written until one is chosen. */
export function ConflictDialog(props: Props) {
  const { mine, theirs, onKeepMine, onTakeTheirs, onClose } = props;
  const {
    title = 'Somebody else saved this section',
    description = 'Since you opened it, it has been saved in another tab or by somebody else. Nothing has been overwritten. Which version shall visitors see?',
  } = props;
  const found = differences(mine, theirs);
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
            Take theirs
          </Button>
          <Button onClick={() => void onKeepMine()}>Save mine instead</Button>
        </>
      }
    >
      <div className="mt-6">
        <DifferingWords found={found} mine="Yours" theirs="Theirs, as saved" />
      </div>
    </Dialog>
  );
}
