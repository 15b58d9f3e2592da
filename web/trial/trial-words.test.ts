import { expect, test } from 'vitest';
import { askForTrialMs } from './poll.ts';
import { partDone, stageWords } from './trial-words.ts';

const waiting = { state: 'waiting', ahead: 0, waitsForOrders: false } as const;

test('says the place in line in words', () => {
  expect(stageWords(waiting)).toBe('You are next.');
  expect(stageWords({ ...waiting, ahead: 1 })).toBe('1 person is ahead of you.');
  expect(stageWords({ ...waiting, ahead: 2 })).toBe('2 people are ahead of you.');
  expect(stageWords({ ...waiting, waitsForOrders: true })).toBe(
    'You are next. The videos of our customers come first.',
  );
});

test('says what is done, and never shows less than before', () => {
  expect(stageWords({ ...waiting, state: 'seeing' })).toBe('Finding faces');
  expect(stageWords({ ...waiting, state: 'animating' })).toBe('Bringing it to life');
  const parts = [
    partDone({ state: 'waiting', progress: 0 }),
    partDone({ state: 'seeing', progress: 0 }),
    partDone({ state: 'animating', progress: 0 }),
    partDone({ state: 'animating', progress: 0.5 }),
    partDone({ state: 'ready', progress: 1 }),
  ];
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  expect(parts.at(-1)).toBe(1);
});

test('asks less often the longer it takes, and not at all when the film is ready or failed', () => {
  const trial = { ...waiting, progress: 0 } as never as Parameters<typeof askForTrialMs>[0];
  expect(askForTrialMs(trial, 0)).toBe(1000);
  expect(askForTrialMs(trial, 20)).toBe(3000);
  expect(askForTrialMs(trial, 2000)).toBe(10_000);
  expect(askForTrialMs({ ...trial!, state: 'ready' }, 0)).toBe(false);
  expect(askForTrialMs({ ...trial!, state: 'failed' }, 0)).toBe(false);
  expect(askForTrialMs(null, 0)).toBe(false);
});
