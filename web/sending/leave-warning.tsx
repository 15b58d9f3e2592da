import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../ui/dialog.tsx';

/** Photos on their way wait when the page goes; the person decides. */
export function LeaveWarning({ isSending }: { isSending: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isSending && current.pathname !== next.pathname,
    enableBeforeUnload: () => isSending,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Photos are still uploading"
      description="If you leave this page now, the photos that are still on their way stop, and go on when you open it again in this browser."
      confirmWords="Leave anyway"
      cancelWords="Stay here"
      destructive
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
