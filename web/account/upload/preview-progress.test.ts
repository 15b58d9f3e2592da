import { expect, test } from 'vitest';
import type { FramePhotoLimits, UploadView } from '#contract/frames.ts';
import { previewPollMs, isPreviewPromised } from './preview-progress.ts';

const createPhoto = (facts: Partial<UploadView> = {}) =>
  ({ isLocked: false, isWaiting: false, preview: null, ...facts }) as UploadView;
const createLimits = (uploads: UploadView[], { hasPreviews = true, uploadFinalized = false } = {}) =>
  ({ hasPreviews, frames: [{ uploadFinalized, uploads }] }) as FramePhotoLimits;

test('polls at growing intervals while a photo needs a preview', () => {
  const limitsWithDuePreview = createLimits([createPhoto({ preview: { style: 'alive', url: null } }), createPhoto()]);
  expect([0, 40, 4000].map((answers) => previewPollMs(limitsWithDuePreview, answers))).toEqual([3000, 13_000, 30_000]);
});

test.each([
  ['all previews are there', createLimits([createPhoto({ preview: { style: 'alive', url: '/x' } })])],
  [
    'the photos are locked or not accepted yet',
    createLimits([createPhoto({ isLocked: true }), createPhoto({ isWaiting: true })]),
  ],
  ['the frame is finalized', createLimits([createPhoto()], { uploadFinalized: true })],
  ['the shop makes no previews', createLimits([createPhoto()], { hasPreviews: false })],
  ['nothing is loaded yet', undefined],
])('does not poll when %s', (_when, known) => {
  expect(previewPollMs(known, 0)).toBe(false);
});

test('isPreviewPromised is true only in the ten minutes after the upload, and only if the shop makes previews', () => {
  const createPhotoUploadedBefore = (minutes: number) =>
    createPhoto({ uploadedAt: new Date(Date.now() - minutes * 60_000).toISOString() });
  expect([9, 11].map((minutes) => isPreviewPromised(createPhotoUploadedBefore(minutes), true))).toEqual([true, false]);
  expect(isPreviewPromised(createPhotoUploadedBefore(1), false)).toBe(false);
});
