import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { useContext, useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from './dialog.tsx';
import { DialogClosing } from './dialog-closing.ts';

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
  /** Tried before it is asked; answers whether nothing is unfinished any more. */
  finish?: (() => Promise<boolean>) | undefined;
  /** Lets go of what is not finished, before a dialog closes over it. */
  onLeave?: (() => void) | undefined;
}

/** What is not finished is left, and a dialog that holds it closed, only by somebody who has been asked. */
export function LeaveQuestion({ isUnfinished, isLeft, title, description, leave, stay, ...props }: Props) {
  const dialog = useContext(DialogClosing);
  const [isClosing, setIsClosing] = useState(false);
  /** As of the last drawing, for whoever asks later. */
  const finish = useRef(props.finish);
  const takeBack = useRef(() => {});
  useEffect(() => {
    finish.current = props.finish;
  });
  const blocker = useBlocker({
    shouldBlockFn: async (change) => isUnfinished && isLeft(change) && !(await finish.current?.()),
    enableBeforeUnload: isUnfinished,
    withResolver: true,
  });
  useEffect(() => {
    if (!dialog || !isUnfinished) return;
    takeBack.current = dialog.askFirst(async () => {
      const isFinished = (await finish.current?.()) ?? false;
      setIsClosing(!isFinished);
      return isFinished;
    });
    return () => takeBack.current();
  }, [dialog, isUnfinished]);
  return (
    <ConfirmDialog
      open={isClosing || blocker.status === 'blocked'}
      onOpenChange={(open) => {
        if (open) return;
        setIsClosing(false);
        blocker.reset?.();
      }}
      title={title}
      description={description}
      confirmWords={leave}
      cancelWords={stay}
      destructive
      onConfirm={() => {
        props.onLeave?.();
        if (!isClosing) return blocker.proceed?.();
        takeBack.current();
        dialog?.ask();
      }}
    />
  );
}
