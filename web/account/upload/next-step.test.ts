import { expect, it } from 'vitest';
import { findNextStep } from './next-step.ts';

const idleUploads = { sending: 0, failed: 0, unusable: 0, isOffline: false };
const createFrame = (usedPhotos: number, remainingPhotos: number, lockedPhotos = 0, laterPhotos = 0) => ({
  usedPhotos,
  remainingPhotos,
  laterPhotos,
  uploads: Array.from({ length: usedPhotos }, (_, index) => ({ isLocked: index < lockedPhotos })),
});

it('suggests to choose photos, to add more, or to finish, depending on the remaining room', () => {
  expect(findNextStep({ ...idleUploads, frame: createFrame(0, 20) })).toBe('Next: choose your first photos.');
  expect(findNextStep({ ...idleUploads, frame: createFrame(12, 8) })).toBe("Add up to 8 more, or tap I'm Done.");
  expect(findNextStep({ ...idleUploads, frame: createFrame(20, 0) })).toBe(
    "Next: check your photos, then tap I'm Done.",
  );
});
it('does not ask to lock photos that are already locked', () => {
  expect(findNextStep({ ...idleUploads, frame: createFrame(5, 15, 5) })).toBe(
    "You can add up to 15 more. If that’s all, tap I'm Done.",
  );
  // The customer is not asked to close the frame while there is room that was bought later.
  expect(findNextStep({ ...idleUploads, frame: createFrame(5, 10, 5, 10) })).toBe('You can add up to 10 more.');
  expect(findNextStep({ ...idleUploads, frame: createFrame(6, 14, 5) })).toBe("Add up to 14 more, or tap I'm Done.");
});
it('mentions failed photos only when no photo is uploading', () => {
  expect(findNextStep({ ...idleUploads, sending: 1, failed: 2, frame: createFrame(3, 17) })).toBe(
    '1 photo uploading. Please keep this page open.',
  );
  expect(findNextStep({ ...idleUploads, failed: 1, frame: createFrame(3, 17) })).toBe(
    '1 photo didn’t upload. Tap Retry on it.',
  );
});
it('asks to remove photos that the shop never accepts, instead of retrying them', () => {
  expect(findNextStep({ ...idleUploads, unusable: 3, frame: createFrame(3, 17) })).toBe(
    '3 photos can’t be used. Please remove them.',
  );
});
it('says that photos wait for a connection when the device is offline', () => {
  expect(findNextStep({ ...idleUploads, sending: 3, isOffline: true, frame: createFrame(3, 17) })).toBe(
    '3 photos waiting for an internet connection. They continue automatically.',
  );
  expect(findNextStep({ ...idleUploads, isOffline: true, frame: createFrame(3, 17) })).toBe(
    "Add up to 17 more, or tap I'm Done.",
  );
});
