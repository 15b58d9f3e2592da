import { expect, test } from 'vitest';
import type { FramePhotoLimits, UploadView } from '#contract/frames.ts';
import { previewPollMs, isPreviewPromised } from './preview-progress.ts';

const photo = (facts: Partial<UploadView> = {}) =>
  ({ isLocked: false, isWaiting: false, preview: null, ...facts }) as UploadView;
const limits = (uploads: UploadView[], { hasPreviews = true, uploadFinalized = false } = {}) =>
  ({ hasPreviews, frames: [{ uploadFinalized, uploads }] }) as FramePhotoLimits;

test('polls at growing intervals while a photo needs a preview', () => {
  const due = limits([photo({ preview: { style: 'alive', url: null } }), photo()]);
  expect([0, 40, 4000].map((answers) => previewPollMs(due, answers))).toEqual([3000, 13_000, 30_000]);
});

test.each([
  ['all previews are there', limits([photo({ preview: { style: 'alive', url: '/x' } })])],
  ['the photos are locked or not accepted yet', limits([photo({ isLocked: true }), photo({ isWaiting: true })])],
  ['the frame is finalized', limits([photo()], { uploadFinalized: true })],
  ['the shop makes no previews', limits([photo()], { hasPreviews: false })],
  ['nothing is loaded yet', undefined],
])('does not poll when %s', (_when, known) => {
  expect(previewPollMs(known, 0)).toBe(false);
});

test('isPreviewPromised is true only in the ten minutes after the upload, and only if the shop makes previews', () => {
  const cameBefore = (minutes: number) => photo({ uploadedAt: new Date(Date.now() - minutes * 60_000).toISOString() });
  expect([9, 11].map((minutes) => isPreviewPromised(cameBefore(minutes), true))).toEqual([true, false]);
  expect(isPreviewPromised(cameBefore(1), false)).toBe(false);
});
