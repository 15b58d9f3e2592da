import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { useContext, useEffect, useState } from 'react';
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
  /** Lets go of what is not finished, before a dialog closes over it. */
  onLeave?: (() => void) | undefined;
}

/** What is not finished is left, and a dialog that holds it closed, only by somebody who has been asked. */
export function LeaveQuestion({ isUnfinished, isLeft, title, description, leave, stay, onLeave }: Props) {
  const dialog = useContext(DialogClosing);
  const [isClosing, setIsClosing] = useState(false);
  const blocker = useBlocker({
    shouldBlockFn: (change) => isUnfinished && isLeft(change),
    enableBeforeUnload: isUnfinished,
    withResolver: true,
  });
  useEffect(() => {
    if (!dialog || !isUnfinished) return;
    return dialog.askFirst(() => setIsClosing(true));
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
        onLeave?.();
        if (isClosing) dialog?.close();
        else blocker.proceed?.();
      }}
    />
  );
}
