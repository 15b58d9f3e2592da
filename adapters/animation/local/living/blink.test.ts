import { expect, test } from 'vitest';
import { createHemisphereMesh } from '#test/fake-photo-analyzer.ts';
import { scheduleBlinks, createEyelids, eyelidClosureAt } from './blink.ts';

const frames = 200;

test.each([1, 2, 3, 5, 6, 10])(
  'with %i people, no two of them blink at the same time, even across the seam of the loop',
  (people) => {
    const blinkStartsByPerson = scheduleBlinks(people, frames);
    for (let frame = 0; frame < frames; frame++) {
      const closedTimes = blinkStartsByPerson.filter((starts) => eyelidClosureAt(starts, frame, frames) > 0);
      expect(closedTimes.length, `frame ${frame}`).toBeLessThanOrEqual(1);
    }
  },
);

test.each([1, 2, 3, 5, 6, 10])('each of %i people blinks at least once in a loop', (people) => {
  for (const blinkStarts of scheduleBlinks(people, frames)) {
    const closures = Array.from({ length: frames }, (_, frame) => eyelidClosureAt(blinkStarts, frame, frames));
    expect(Math.max(...closures)).toBe(1);
  }
});

test('an eyelid closes within 120 to 160 ms and opens more slowly', () => {
  const closures = Array.from({ length: 12 }, (_, frame) => eyelidClosureAt([0], frame, frames));
  const framesToClose = closures.indexOf(1) + 1;
  const framesToOpen = closures.findIndex((part, frame) => frame > framesToClose && part === 0) - framesToClose;
  expect(framesToClose * 40).toBeGreaterThanOrEqual(120);
  expect(framesToClose * 40).toBeLessThanOrEqual(160);
  expect(framesToOpen).toBeGreaterThan(framesToClose);
});

test('a single person sometimes blinks twice in a row', () => {
  const [starts] = scheduleBlinks(1, frames);
  const gaps = starts!.slice(1).map((start, at) => start - starts![at]!);
  expect(Math.min(...gaps) * 40).toBeLessThan(600);
  expect(Math.max(...gaps) * 40).toBeGreaterThan(1_500);
});

test.each([
  ['upright', 0],
  ['tilted', 0.4],
  ['on its right side', Math.PI / 2],
  ['on its left side', -Math.PI / 2],
])('the skin below the brow covers the eye of a face that is %s', (_, tilt) => {
  const [side, middle] = [400, 200];
  const uprightMesh = createHemisphereMesh(middle, middle, 120);
  const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
  const rotatePoint = <T extends { x: number; y: number }>(point: T): T => ({
    ...point,
    x: middle + (point.x - middle) * cos - (point.y - middle) * sin,
    y: middle + (point.x - middle) * sin + (point.y - middle) * cos,
  });
  const mesh = {
    ...uprightMesh,
    points: uprightMesh.points.map(rotatePoint),
    eyes: uprightMesh.eyes.map(({ upper, lower }) => ({
      upper: upper.map(rotatePoint),
      lower: lower.map(rotatePoint),
    })),
  };
  // Above the upper lids everything is red, below them blue.
  const lid = middle - 0.2 * 120 - 0.09 * 120;
  const rgb = new Uint8Array(3 * side * side);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const rotatedY = middle - (x - middle) * sin + (y - middle) * cos;
      rgb.set(rotatedY < lid - 2 ? [200, 40, 40] : [40, 40, 200], 3 * (y * side + x));
    }
  for (const [at, eyelid] of createEyelids({ width: side, height: side, rgb }, mesh).entries()) {
    const { upper, lower } = mesh.eyes[at]!;
    const eye = { x: (upper[4]!.x + lower[4]!.x) / 2, y: (upper[4]!.y + lower[4]!.y) / 2 };
    const pixelIndex = 3 * (Math.round(eye.y - eyelid.top) * eyelid.width + Math.round(eye.x - eyelid.left));
    const [red = 0, , blue = 0] = eyelid.drawClosed(1).subarray(pixelIndex);
    expect(red).toBeGreaterThan(blue + 60);
  }
});
