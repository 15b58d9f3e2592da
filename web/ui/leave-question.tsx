import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { useContext, useEffect, useState } from 'react';
import { ConfirmDialog } from './dialog.tsx';
import { DialogCloserContext } from './dialog-closing.ts';

/** The result of an attempt to finish, such as saving. `asked`: it opened another question, for example a conflict. */
export type FinishResult = 'finished' | 'unfinished' | 'asked';

interface Props {
  /** Whether there is something unfinished, such as unsaved text, that is lost or stopped if the user leaves. */
  isUnfinished: boolean;
  /** Whether this change of the address leaves the unfinished content. */
  isLeft: (change: Parameters<ShouldBlockFn>[0]) => boolean;
  title: string;
  description: string;
  /** The texts of the buttons. */
  leave: string;
  stay: string;
  /** Called before the question. The question appears only if this returns `unfinished`. */
  finish?: (() => Promise<FinishResult>) | undefined;
  /** Called when the user leaves, to discard what is unfinished. */
  onLeave?: (() => void) | undefined;
}

/** Asks before the user leaves unfinished content, or closes the dialog that contains it. */
export function LeaveQuestion({ isUnfinished, isLeft, title, description, leave, stay, ...props }: Props) {
  const dialogCloser = useContext(DialogCloserContext);
  const [answer, setAnswer] = useState<{ with: (leaves: boolean) => void }>();
  const confirmLeaving = async () => {
    const finishResult = (await props.finish?.()) ?? 'unfinished';
    if (finishResult !== 'unfinished') return finishResult === 'finished';
    const confirmsLeaving = await new Promise<boolean>((resolve) => setAnswer({ with: resolve }));
    setAnswer(undefined);
    if (confirmsLeaving) props.onLeave?.();
    return confirmsLeaving;
  };
  useBlocker({
    shouldBlockFn: async (change) => isUnfinished && isLeft(change) && !(await confirmLeaving()),
    enableBeforeUnload: isUnfinished,
  });
  useEffect(() => (isUnfinished ? dialogCloser?.askFirst(confirmLeaving) : undefined));
  return (
    <ConfirmDialog
      open={answer !== undefined}
      onOpenChange={(open) => !open && answer?.with(false)}
      title={title}
      description={description}
      confirmLabel={leave}
      cancelLabel={stay}
      destructive
      onConfirm={() => answer?.with(true)}
    />
  );
}
