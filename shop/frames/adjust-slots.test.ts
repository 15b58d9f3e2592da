import { expect, test } from 'vitest';
import { computeSlotsAfterOwnerChange, sumOfSlots } from './adjust-slots.ts';
import type { Frame } from './frames.ts';

const finalizedDate = new Date('2026-05-01');
const createFrame = (places: Partial<Frame> = {}) =>
  ({
    id: 'frame',
    basePhotos: 20,
    extraPhotos: 0,
    laterPhotos: 0,
    usedPhotos: 0,
    closedPhotos: 0,
    sealedPhotos: 0,
    finalizedAt: null,
    reopenedAt: null,
    isActive: true,
    ...places,
  }) as Frame;
const listPhotoLimits = (frames: Frame[]) => frames.map((it) => [it.basePhotos, it.extraPhotos]);
const finalizedFrame = { finalizedAt: finalizedDate, usedPhotos: 20 };

test('sums active frames so that their limit equals base photos + 10 for each package, even after refunds', () => {
  const frames = [
    createFrame({ extraPhotos: 13, usedPhotos: 33 }),
    createFrame({ basePhotos: 7 }),
    createFrame({ isActive: false }),
  ];
  expect(sumOfSlots(frames)).toEqual({ basePhotos: 30, extraPackages: 1, usedPhotos: 33 });
});

test('adds photo places first to frames that wait for photos, and divides photo packages among these frames', () => {
  const frames = [createFrame(finalizedFrame), createFrame(), createFrame()];
  expect(listPhotoLimits(computeSlotsAfterOwnerChange(frames, { basePhotos: 65, extraPackages: 3 }))).toEqual([
    [20, 0],
    [25, 10],
    [20, 20],
  ]);
});

test('if all frames are finalized, adds places to a finalized frame and counts them as bought later', () => {
  const [after] = computeSlotsAfterOwnerChange([createFrame(finalizedFrame)], { extraPackages: 1 });
  expect(after).toMatchObject({ basePhotos: 20, extraPhotos: 10, laterPhotos: 10 });
});

test('removes places only from open frames, and only places without a photo', () => {
  const frames = [
    createFrame(finalizedFrame),
    createFrame({ usedPhotos: 15, extraPhotos: 10 }),
    createFrame({ usedPhotos: 18 }),
  ];
  expect(listPhotoLimits(computeSlotsAfterOwnerChange(frames, { basePhotos: 50 }))).toEqual([
    [20, 0],
    [12, 10],
    [18, 0],
  ]);
  expect(listPhotoLimits(computeSlotsAfterOwnerChange(frames, { extraPackages: 0 }))).toEqual([
    [20, 0],
    [20, 0],
    [20, 0],
  ]);
  expect(() => computeSlotsAfterOwnerChange(frames, { basePhotos: 42 })).toThrow(
    'The base photos can’t go below 43 right now',
  );
  expect(() =>
    computeSlotsAfterOwnerChange([createFrame({ extraPhotos: 20, usedPhotos: 25 })], { extraPackages: 0 }),
  ).toThrow('The extra packages can’t go below 1 right now');
});

test('reduces the number of places bought later to the number of extra places that are left', () => {
  const reopenedFrame = createFrame({
    finalizedAt: finalizedDate,
    reopenedAt: finalizedDate,
    usedPhotos: 20,
    sealedPhotos: 20,
    extraPhotos: 20,
    laterPhotos: 20,
  });
  expect(computeSlotsAfterOwnerChange([reopenedFrame], { extraPackages: 1 })[0]).toMatchObject({
    extraPhotos: 10,
    laterPhotos: 10,
  });
});

test('refuses to adjust without a frame, and refuses more photos than a frame can show', () => {
  expect(() => computeSlotsAfterOwnerChange([], { basePhotos: 20 })).toThrow('This user doesn’t own a frame yet');
  expect(computeSlotsAfterOwnerChange([], { basePhotos: 0, extraPackages: 0 })).toEqual([]);
  expect(() => computeSlotsAfterOwnerChange([createFrame()], { basePhotos: 2001 })).toThrow(
    'A frame can hold at most 2,000 photos.',
  );
});
