import type { TrialView } from '#contract/trials.ts';

const firstPollMs = 1000;
const maxPollMs = 10_000;

/** Whether the video of this trial is still to come. */
export const isUnderWay = ({ state }: Pick<TrialView, 'state'>) => state !== 'ready' && state !== 'failed';

/** The polling interval of a trial in ms. It grows with each answer. False if there is nothing to wait for. */
export function trialPollMs(trial: TrialView | null | undefined, answers: number): number | false {
  if (!trial || !isUnderWay(trial)) return false;
  return Math.min(maxPollMs, firstPollMs + 100 * answers);
}
