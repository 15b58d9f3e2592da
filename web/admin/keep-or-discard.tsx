import { paths } from '../paths.ts';
import { type Finish, LeaveQuestion } from '../ui/leave-question.tsx';
import { AdminSearch } from './search.ts';

interface Props {
  isDirty: boolean;
  /** Which change of the panel's address leaves what is edited; any of them unless said. */
  isLeft?: (now: AdminSearch, next: AdminSearch) => boolean;
  /** Tried before it is asked. */
  save?: () => Promise<Finish>;
  onDiscard?: () => void;
}

const anyChange = () => true;

/** What is not saved yet is left only by somebody who has been asked. */
export const KeepOrDiscard = ({ isDirty, isLeft = anyChange, save, onDiscard }: Props) => (
  <LeaveQuestion
    isUnfinished={isDirty}
    isLeft={({ current, next }) =>
      next.pathname !== paths.admin || isLeft(AdminSearch(current.search), AdminSearch(next.search))
    }
    title="Leave without saving?"
    description="What you have changed here is not saved yet."
    leave="Discard changes"
    stay="Keep editing"
    finish={save}
    onLeave={onDiscard}
  />
);
