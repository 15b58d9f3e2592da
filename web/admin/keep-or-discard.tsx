import { paths } from '../paths.ts';
import { type FinishResult, LeaveQuestion } from '../ui/leave-question.tsx';
import { AdminSearch } from './search.ts';

interface Props {
  isDirty: boolean;
  /** Whether this change of the panel's address leaves the edited item. By default, every change does. */
  isLeft?: (now: AdminSearch, next: AdminSearch) => boolean;
  /** Saves the changes. It is called first, and the question appears only if the changes are not saved. */
  save?: () => Promise<FinishResult>;
  onDiscard?: () => void;
}

const acceptAnyChange = () => true;

/** Asks before the owner leaves unsaved changes. */
export const UnsavedChangesDialog = ({ isDirty, isLeft = acceptAnyChange, save, onDiscard }: Props) => (
  <LeaveQuestion
    isUnfinished={isDirty}
    isLeft={({ current, next }) =>
      next.pathname !== paths.admin || isLeft(AdminSearch(current.search), AdminSearch(next.search))
    }
    title="Leave without saving?"
    description="Your changes here aren’t saved yet."
    leave="Discard changes"
    stay="Keep editing"
    finish={save}
    onLeave={onDiscard}
  />
);
