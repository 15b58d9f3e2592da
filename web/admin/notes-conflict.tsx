import { isRefusal } from '../data/error-text.ts';
import { ConflictDialog } from './content/conflict-dialog.tsx';

/** The notes that someone else saved in the meantime. Undefined if the error has another cause. */
export const readConflictingNotes = (error: unknown): string | undefined =>
  isRefusal(error, 'notes-changed') ? String(error.details['theirs']) : undefined;

const label = 'Admin notes';

/** Shows both versions of notes that were edited at the same time. Nothing is saved until the owner chooses one. */
export const NotesConflict = (props: {
  mine: string;
  theirs: string;
  onKeepMine: () => Promise<unknown>;
  onTakeTheirs: () => void;
  onClose: () => void;
}) => (
  <ConflictDialog
    {...props}
    title="Someone else changed these notes"
    description="They were saved in another tab or by someone else after you started. Nothing was overwritten. Which notes do you want to keep?"
    mine={[{ label, words: props.mine }]}
    theirs={[{ label, words: props.theirs }]}
    onKeepMine={async () => void (await props.onKeepMine())}
  />
);
