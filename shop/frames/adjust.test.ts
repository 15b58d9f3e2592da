import { expect, test } from 'vitest';
import { placesAdjusted, sumOfPlaces } from './adjust.ts';
import type { Frame } from './frames.ts';

const at = new Date('2026-05-01');
const frame = (places: Partial<Frame> = {}) =>
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
const limits = (frames: Frame[]) => frames.map((it) => [it.basePhotos, it.extraPhotos]);
const done = { finalizedAt: at, usedPhotos: 20 };

test('the limit is always base + 10 for each package, whatever a refund has left', () => {
  const frames = [frame({ extraPhotos: 13, usedPhotos: 33 }), frame({ basePhotos: 7 }), frame({ isActive: false })];
  expect(sumOfPlaces(frames)).toEqual({ basePhotos: 30, extraPackages: 1, usedPhotos: 33 });
});

test('more goes to frames that wait for photos, packages dealt among them', () => {
  const frames = [frame(done), frame(), frame()];
  expect(limits(placesAdjusted(frames, { basePhotos: 65, extraPackages: 3 }))).toEqual([
    [20, 0],
    [25, 10],
    [20, 20],
  ]);
});

test('where all are finalized, one is given the places as if they were bought later', () => {
  const [after] = placesAdjusted([frame(done)], { extraPackages: 1 });
  expect(after).toMatchObject({ basePhotos: 20, extraPhotos: 10, laterPhotos: 10 });
});

test('less is taken where no photo is, from open frames alone', () => {
  const frames = [frame(done), frame({ usedPhotos: 15, extraPhotos: 10 }), frame({ usedPhotos: 18 })];
  expect(limits(placesAdjusted(frames, { basePhotos: 50 }))).toEqual([
    [20, 0],
    [12, 10],
    [18, 0],
  ]);
  expect(limits(placesAdjusted(frames, { extraPackages: 0 }))).toEqual([
    [20, 0],
    [20, 0],
    [20, 0],
  ]);
  expect(() => placesAdjusted(frames, { basePhotos: 42 })).toThrow('The base photos can go down to 43 for now');
  expect(() => placesAdjusted([frame({ extraPhotos: 20, usedPhotos: 25 })], { extraPackages: 0 })).toThrow(
    'The extra packages can go down to 1 for now',
  );
});

test('what came later is not more than what is left', () => {
  const reopened = frame({
    finalizedAt: at,
    reopenedAt: at,
    usedPhotos: 20,
    sealedPhotos: 20,
    extraPhotos: 20,
    laterPhotos: 20,
  });
  expect(placesAdjusted([reopened], { extraPackages: 1 })[0]).toMatchObject({ extraPhotos: 10, laterPhotos: 10 });
});

test('without a frame there is nothing to adjust, and a frame takes no more than it can show', () => {
  expect(() => placesAdjusted([], { basePhotos: 20 })).toThrow('This user owns no frame yet');
  expect(placesAdjusted([], { basePhotos: 0, extraPackages: 0 })).toEqual([]);
  expect(() => placesAdjusted([frame()], { basePhotos: 2001 })).toThrow('A frame takes at most 2,000 photos.');
});
