import { LeaveQuestion } from '../ui/leave-question.tsx';

/** Asks before the person leaves the page during uploads, because leaving pauses them. */
export const LeaveWarning = ({ isSending }: { isSending: boolean }) => (
  <LeaveQuestion
    isUnfinished={isSending}
    isLeft={({ current, next }) => current.pathname !== next.pathname}
    title="Photos are still uploading"
    description="If you leave now, photos that are still uploading will stop. They’ll continue when you open this page again in this browser."
    leave="Leave anyway"
    stay="Stay here"
  />
);
