import { countText } from '#contract/count-text.ts';
import type { TrialView } from '#contract/trials.ts';

/** What is done for the video right now. */
export function stageText({
  state,
  ahead,
  waitsForOrders,
}: Pick<TrialView, 'state' | 'ahead' | 'waitsForOrders'>): string {
  if (state === 'seeing') return 'Finding faces';
  if (state === 'animating') return 'Bringing it to life';
  const queueText =
    ahead === 0
      ? 'You’re next.'
      : ahead === 1
        ? '1 person is ahead of you.'
        : `${countText(ahead, 'person', 'people')} are ahead of you.`;
  return waitsForOrders ? `${queueText} Our customers’ videos come first.` : queueText;
}

/** How much is done, 0 to 1. Finding faces is the first tenth. */
export const computeTrialProgress = ({ state, progress }: Pick<TrialView, 'state' | 'progress'>): number =>
  state === 'waiting' ? 0 : state === 'seeing' ? 0.05 : 0.1 + 0.9 * progress;
