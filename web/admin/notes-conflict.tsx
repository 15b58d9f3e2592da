import { isRefusal } from '../data/error-words.ts';
import { ConflictDialog } from './content/conflict-dialog.tsx';

/** What somebody else has noted since one began to; undefined where that is not what went wrong. */
export const theirNotes = (error: unknown): string | undefined =>
  isRefusal(error, 'notes-changed') ? String(error.details['theirs']) : undefined;

const label = 'Admin notes';

/** Two owners have noted at once: both are shown, and nothing is written until one is chosen. */
export const NotesConflict = (props: {
  mine: string;
  theirs: string;
  onKeepMine: () => Promise<unknown>;
  onTakeTheirs: () => void;
  onClose: () => void;
}) => (
  <ConflictDialog
    {...props}
    title="Somebody else changed these notes"
    description="Since you began, they have been saved in another tab or by somebody else. Nothing has been overwritten. Which ones shall stay?"
    mine={[{ label, words: props.mine }]}
    theirs={[{ label, words: props.theirs }]}
    onKeepMine={async () => void (await props.onKeepMine())}
  />
);
