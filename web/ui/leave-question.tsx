import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { useContext, useEffect, useState } from 'react';
import { ConfirmDialog } from './dialog.tsx';
import { DialogClosing } from './dialog-closing.ts';

/** What came of it; `asked` where somebody is asked something else about it. */
export type Finish = 'finished' | 'unfinished' | 'asked';

interface Props {
  /** Something would be lost or stopped. */
  isUnfinished: boolean;
  /** Which change of the address leaves it. */
  isLeft: (change: Parameters<ShouldBlockFn>[0]) => boolean;
  title: string;
  description: string;
  /** On the buttons. */
  leave: string;
  stay: string;
  /** Tried before it is asked, which it is only where that is in vain. */
  finish?: (() => Promise<Finish>) | undefined;
  /** Lets go of what is not finished. */
  onLeave?: (() => void) | undefined;
}

/** What is not finished is left, and a dialog that holds it closed, only by somebody who has been asked. */
export function LeaveQuestion({ isUnfinished, isLeft, title, description, leave, stay, ...props }: Props) {
  const dialog = useContext(DialogClosing);
  const [answer, setAnswer] = useState<{ with: (leaves: boolean) => void }>();
  const mayLeave = async () => {
    const end = (await props.finish?.()) ?? 'unfinished';
    if (end !== 'unfinished') return end === 'finished';
    const leaves = await new Promise<boolean>((resolve) => setAnswer({ with: resolve }));
    setAnswer(undefined);
    if (leaves) props.onLeave?.();
    return leaves;
  };
  useBlocker({
    shouldBlockFn: async (change) => isUnfinished && isLeft(change) && !(await mayLeave()),
    enableBeforeUnload: isUnfinished,
  });
  useEffect(() => (isUnfinished ? dialog?.askFirst(mayLeave) : undefined));
  return (
    <ConfirmDialog
      open={answer !== undefined}
      onOpenChange={(open) => !open && answer?.with(false)}
      title={title}
      description={description}
      confirmWords={leave}
      cancelWords={stay}
      destructive
      onConfirm={() => answer?.with(true)}
    />
  );
}
