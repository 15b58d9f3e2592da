import { expect, test } from 'vitest';
import {
  computeCroppedSize,
  isCropLargeEnough,
  isSameCrop,
  normalizeCrop,
  positionAfterCrop,
  turnArea,
  wholePhotoCrop,
} from './crop.ts';
import { CropForm } from './photo-forms.ts';

const topLeft = { left: 0, top: 0, width: 0.5, height: 0.4 };

test('four quarter turns leave an area as it is, and one turn moves the top left to the top right', () => {
  expect(turnArea(topLeft, 1)).toEqual({ left: 0.6, top: 0, width: 0.4, height: 0.5 });
  expect(turnArea(topLeft, -1)).toEqual({ left: 0, top: 0.5, width: 0.4, height: 0.5 });
  expect(turnArea(turnArea(topLeft, 3), 1)).toEqual(topLeft);
});

test('a spot stays on the same part of the picture after a turn and a crop, and back', () => {
  const photoPosition = { x: 0.25, y: 0.2 };
  const turnedCrop = { quarterTurns: 1, area: null };
  expect(positionAfterCrop(photoPosition, wholePhotoCrop, turnedCrop)).toEqual({ x: 0.8, y: 0.25 });
  const turnedAndCutCrop = { quarterTurns: 1, area: turnArea(topLeft, 1) };
  expect(positionAfterCrop(photoPosition, wholePhotoCrop, turnedAndCutCrop)).toEqual({ x: 0.5, y: 0.5 });
  expect(positionAfterCrop({ x: 0.5, y: 0.5 }, turnedAndCutCrop, wholePhotoCrop)).toEqual(photoPosition);
  expect(positionAfterCrop({ x: 0.9, y: 0.9 }, wholePhotoCrop, turnedAndCutCrop)).toBeNull();
});

test('the size after a crop is in pixels of the original', () => {
  const photo = { width: 4000, height: 3000 };
  expect(computeCroppedSize(photo, { quarterTurns: 1, area: { left: 0, top: 0, width: 0.5, height: 0.5 } })).toEqual({
    width: 1500,
    height: 2000,
  });
  // Reduced to 5120 pixels first.
  expect(
    computeCroppedSize({ width: 8000, height: 4000 }, { quarterTurns: 0, area: { ...topLeft, width: 0.2 } }),
  ).toEqual({
    width: 1024,
    height: 1024,
  });
  expect(isCropLargeEnough({ width: 390, height: 3000 }, { quarterTurns: 0, area: { ...topLeft, width: 0.1 } })).toBe(
    false,
  );
});

test('the area of the whole photo is stored like a photo without a crop', () => {
  const wholeArea = { quarterTurns: 0, area: { left: 0, top: 0, width: 1, height: 1 } };
  expect(normalizeCrop(wholeArea)).toEqual(wholePhotoCrop);
  expect(isSameCrop(wholeArea, wholePhotoCrop)).toBe(true);
});

test.for([
  { quarterTurns: 4, area: null },
  { quarterTurns: 0.5, area: null },
  { quarterTurns: 0, area: { left: 0.6, top: 0, width: 0.5, height: 1 } },
  { quarterTurns: 0, area: { left: 0, top: 0, width: 0.05, height: 1 } },
  { quarterTurns: 0, area: { left: 0, top: 0, width: 1 } },
])('refuses the crop %j', (crop) => {
  expect(CropForm.safeParse({ ...crop, fileName: 'a.jpg' }).success).toBe(false);
});
