import { expect, test } from 'vitest';
import { createPhotoLinks, type OrderFrame } from './photo-links.ts';

const createFrame = (changed: Partial<OrderFrame>): OrderFrame => ({
  name: 'Kinframe 1',
  usedPhotos: 20,
  photoLimit: 20,
  isFinalized: true,
  videosReadyAt: null,
  hasVideos: false,
  ...changed,
});
const finishedFrame = { videosReadyAt: '2026-11-20T12:00:00Z', hasVideos: true };

test('photoLinks contains the link to the videos after an extra package has reopened the frame', () => {
  expect(createPhotoLinks({ frames: [createFrame(finishedFrame)] })).toEqual(['See my photos and videos']);
  expect(createPhotoLinks({ frames: [createFrame({ ...finishedFrame, isFinalized: false, photoLimit: 30 })] })).toEqual(
    ['Add photos', 'See my photos and videos'],
  );
  expect(createPhotoLinks({ frames: [createFrame(finishedFrame), createFrame({ isFinalized: false })] })).toEqual([
    'Add photos',
    'See my photos and videos',
  ]);
});

test('photoLinks contains the link to the videos while the videos of added photos are being made', () => {
  const reopenedFrame = createFrame({ hasVideos: true, photoLimit: 30 });
  expect(createPhotoLinks({ frames: [reopenedFrame] })).toEqual(['See my photos and videos']);
});

test('photoLinks contains only the link to the photos when there are no videos', () => {
  expect(createPhotoLinks({ frames: [createFrame({ isFinalized: false })] })).toEqual(['Add photos']);
  expect(createPhotoLinks({ frames: [createFrame({})] })).toEqual(['Look at my photos']);
  // A refunded frame accepts no photos.
  expect(createPhotoLinks({ frames: [createFrame({}), createFrame({ isFinalized: false, photoLimit: 0 })] })).toEqual([
    'Look at my photos',
  ]);
});
