import { expect, it } from 'vitest';
import { nextStep } from './next-step.ts';

const idle = { sending: 0, failed: 0, unusable: 0, isOffline: false };
const frame = (usedPhotos: number, remainingPhotos: number, lockedPhotos = 0, laterPhotos = 0) => ({
  usedPhotos,
  remainingPhotos,
  laterPhotos,
  uploads: Array.from({ length: usedPhotos }, (_, index) => ({ isLocked: index < lockedPhotos })),
});

it('always says what comes next', () => {
  expect(nextStep({ ...idle, frame: frame(0, 20) })).toBe('Next: choose your first photos.');
  expect(nextStep({ ...idle, frame: frame(12, 8) })).toBe("Add up to 8 more, or tap I'm Done.");
  expect(nextStep({ ...idle, frame: frame(20, 0) })).toBe("Next: look them over, then tap I'm Done.");
});
it('asks for nothing to be locked that is locked already', () => {
  expect(nextStep({ ...idle, frame: frame(5, 15, 5) })).toBe(
    "You can add up to 15 more. If none will come, tap I'm Done.",
  );
  // What was bought for more photos is not given up unused.
  expect(nextStep({ ...idle, frame: frame(5, 10, 5, 10) })).toBe('You can add up to 10 more.');
  expect(nextStep({ ...idle, frame: frame(6, 14, 5) })).toBe("Add up to 14 more, or tap I'm Done.");
});
it('speaks of photos on their way first, then of those that did not arrive', () => {
  expect(nextStep({ ...idle, sending: 1, failed: 2, frame: frame(3, 17) })).toBe(
    '1 photo on the way. Please keep this page open.',
  );
  expect(nextStep({ ...idle, failed: 1, frame: frame(3, 17) })).toBe('1 photo did not arrive. Tap Retry on it.');
});
it('asks nobody to retry what the shop never takes', () => {
  expect(nextStep({ ...idle, unusable: 3, frame: frame(3, 17) })).toBe(
    '3 photos could not be used. Please remove them.',
  );
});
it('tells what photos wait for where there is no connection', () => {
  expect(nextStep({ ...idle, sending: 3, isOffline: true, frame: frame(3, 17) })).toBe(
    '3 photos wait for a connection, and go on by themselves.',
  );
  expect(nextStep({ ...idle, isOffline: true, frame: frame(3, 17) })).toBe("Add up to 17 more, or tap I'm Done.");
});
