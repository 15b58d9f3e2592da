import { LeaveQuestion } from '../ui/leave-question.tsx';

/** Photos on their way wait when the page goes; the person decides. */
export const LeaveWarning = ({ isSending }: { isSending: boolean }) => (
  <LeaveQuestion
    isUnfinished={isSending}
    isLeft={({ current, next }) => current.pathname !== next.pathname}
    title="Photos are still uploading"
    description="If you leave this page now, the photos that are still on their way stop, and go on when you open it again in this browser."
    leave="Leave anyway"
    stay="Stay here"
  />
);
