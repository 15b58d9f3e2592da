import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { paths } from '../paths.ts';
import { AdminSearch } from './search.ts';

interface Props {
  isDirty: boolean;
  /** Which change of the panel's address leaves what is edited; any of them unless said. */
  isLeft?: (now: AdminSearch, next: AdminSearch) => boolean;
}

const anyChange = () => true;

/** What is not saved yet is left only by somebody who has been asked. */
export function KeepOrDiscard({ isDirty, isLeft = anyChange }: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && (next.pathname !== paths.admin || isLeft(AdminSearch(current.search), AdminSearch(next.search))),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave without saving?"
      description="What you have changed here is not saved yet."
      confirmWords="Discard changes"
      cancelWords="Keep editing"
      destructive
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
