import { expect, test } from 'vitest';
import { trialPollMs } from './poll.ts';
import { computeTrialProgress, stageText } from './trial-text.ts';

const waitingTrial = { state: 'waiting', ahead: 0, waitsForOrders: false } as const;

test('says the position in the queue in words', () => {
  expect(stageText(waitingTrial)).toBe('You’re next.');
  expect(stageText({ ...waitingTrial, ahead: 1 })).toBe('1 person is ahead of you.');
  expect(stageText({ ...waitingTrial, ahead: 2 })).toBe('2 people are ahead of you.');
  expect(stageText({ ...waitingTrial, waitsForOrders: true })).toBe('You’re next. Our customers’ videos come first.');
});

test('the progress text never goes back to an earlier step', () => {
  expect(stageText({ ...waitingTrial, state: 'seeing' })).toBe('Finding faces');
  expect(stageText({ ...waitingTrial, state: 'animating' })).toBe('Bringing it to life');
  const parts = [
    computeTrialProgress({ state: 'waiting', progress: 0 }),
    computeTrialProgress({ state: 'seeing', progress: 0 }),
    computeTrialProgress({ state: 'animating', progress: 0 }),
    computeTrialProgress({ state: 'animating', progress: 0.5 }),
    computeTrialProgress({ state: 'ready', progress: 1 }),
  ];
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  expect(parts.at(-1)).toBe(1);
});

test('polls at growing intervals, and stops when the video is ready or has failed', () => {
  const trial = { ...waitingTrial, progress: 0 } as never as Parameters<typeof trialPollMs>[0];
  expect(trialPollMs(trial, 0)).toBe(1000);
  expect(trialPollMs(trial, 20)).toBe(3000);
  expect(trialPollMs(trial, 2000)).toBe(10_000);
  expect(trialPollMs({ ...trial!, state: 'ready' }, 0)).toBe(false);
  expect(trialPollMs({ ...trial!, state: 'failed' }, 0)).toBe(false);
  expect(trialPollMs(null, 0)).toBe(false);
});
