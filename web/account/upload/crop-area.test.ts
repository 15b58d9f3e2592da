import { expect, test } from 'vitest';
import { corners, moveCropArea, resizeCropArea } from './crop-area.ts';

const area = { left: 0.2, top: 0.2, width: 0.4, height: 0.6 };
const leastSize = { width: 0.1, height: 0.1 };
const [topLeft, , , bottomRight] = corners;

test('moving an area keeps it inside the photo and keeps its size', () => {
  expect(moveCropArea(area, 0.1, -0.1)).toEqual({ left: 0.3, top: 0.1, width: 0.4, height: 0.6 });
  expect(moveCropArea(area, 1, 1)).toEqual({ left: 0.6, top: 0.4, width: 0.4, height: 0.6 });
});

test('moving a corner keeps the opposite corner and the minimum size of the area', () => {
  expect(resizeCropArea(area, topLeft, { x: 0.3, y: 0.1 }, leastSize)).toEqual({
    left: 0.3,
    top: 0.1,
    width: 0.3,
    height: 0.7,
  });
  expect(resizeCropArea(area, topLeft, { x: 2, y: 2 }, leastSize)).toEqual({
    left: 0.5,
    top: 0.7,
    width: 0.1,
    height: 0.1,
  });
  expect(resizeCropArea(area, bottomRight, { x: 2, y: -1 }, leastSize)).toEqual({
    left: 0.2,
    top: 0.2,
    width: 0.8,
    height: 0.1,
  });
});
