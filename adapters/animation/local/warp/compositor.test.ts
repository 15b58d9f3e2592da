import { expect, test } from 'vitest';
import { setLayerView, createWarpGrid, type WarpGrid, type CameraView } from './camera.ts';
import { assembleWarpCode } from './assemble.ts';
import { createCompositor, unitsPerPixel, pixelsPerRun, type Layer } from './compositor.ts';
import type { Plate } from './plates.ts';
import { convertRgbToYuv } from './video-planes.ts';
import { warpCode } from './warp-code.ts';

const film = { width: 4 * pixelsPerRun, height: 32 };
const area = film.width * film.height;
const size = { width: 60, height: 60 };
const createPlate = (pixel: (x: number, y: number) => number[]): Plate => ({
  ...size,
  pixels: Uint8Array.from({ length: 4 * size.width * size.height }, (_, at) => {
    const pixelIndex = at >> 2;
    return pixel(pixelIndex % size.width, Math.floor(pixelIndex / size.width))[at % 4]!;
  }),
});
const createGrayPixel = (greyAtPoint: number) => [greyAtPoint, greyAtPoint, greyAtPoint, 255];
/** Plates in which the gray value of each pixel encodes its position: how far across, and how far down. */
const acrossPlate = createPlate((x) => createGrayPixel(4 * x));
const downPlate = createPlate((_x, y) => createGrayPixel(4 * y));
/** The gray value of a pixel, from its brightness in the video. */
const readGray = (planes: Uint8Array, x: number, y: number) => ((planes[y * film.width + x]! - 16) * 255) / 219;
/** One step of the video's brightness, in gray values. */
const step = 255 / 219;

/** Draws a frame from the given places. Returns a function that finds the plate position shown at a video pixel. */
function plateSampledAt(positionOf: (x: number, y: number) => { x: number; y: number }) {
  const compositors = [acrossPlate, downPlate].map((plate) => {
    const compositor = createCompositor(film, [{ plate }]);
    placeAllPoints(compositor.layers[0]!, positionOf);
    compositor.layers[0]!.take();
    return compositor;
  });
  return (x: number, y: number) => compositors.map(({ planes }) => readGray(planes, x, y) / 4);
}
function placeAllPoints(
  { places, columns, rise }: Layer,
  positionOf: (x: number, y: number) => { x: number; y: number },
) {
  for (let at = 0; at < places.length; at += 2) {
    const column = (at / 2) % (columns + 1);
    const { x, y } = positionOf(column * pixelsPerRun, Math.floor(at / 2 / (columns + 1)) * rise);
    places.set([x * unitsPerPixel, y * unitsPerPixel], at);
  }
}
function expectPosition(found: number[], x: number, y: number) {
  expect(Math.abs(found[0]! - x)).toBeLessThan(step / 4);
  expect(Math.abs(found[1]! - y)).toBeLessThan(step / 4);
}

test('warp-code.ts matches warp.wat', () => {
  expect(warpCode).toBe(assembleWarpCode());
});

test('without a warp, draws a part of the source picture unchanged', () => {
  const sampleAt = plateSampledAt((x, y) => ({ x: 5 + x, y: 3 + y }));
  for (const [x, y] of [
    [0, 0],
    [3, 1],
    [4, 17],
    [15, 31],
  ] as const)
    expectPosition(sampleAt(x, y), 5 + x, 3 + y);
});

test('a coordinate between pixels blends the four pixels around it', () => {
  const sampleAt = plateSampledAt((x, y) => ({ x: 5.75 + x, y: 3.5 + y }));
  expectPosition(sampleAt(2, 1), 7.75, 4.5);
  expectPosition(sampleAt(6, 20), 11.75, 23.5);
});

test('interpolates source coordinates evenly between the ends of a run and between the given rows', () => {
  const sampleAt = plateSampledAt((x, y) => ({ x: 2 + 1.5 * x, y: 1 + 1.25 * y }));
  for (const [x, y] of [
    [1, 0],
    [6, 4],
    [11, 20],
    [15, 30],
  ] as const)
    expectPosition(sampleAt(x, y), 2 + 1.5 * x, 1 + 1.25 * y);
});

test('accepts source coordinates that are sloped, mirrored or discontinuous', () => {
  for (const computePosition of [
    (x: number, y: number) => ({ x: 4 + x + 0.3 * y, y: 3 + 0.8 * x + y }),
    (x: number, y: number) => ({ x: 50 - 2.5 * x, y: 50 - y }),
    (x: number, y: number) => ({ x: x % 8 ? 3 : 50, y: 2 + y }),
  ]) {
    const sampleAt = plateSampledAt(computePosition);
    for (let y = 0; y < film.height; y += 16)
      for (let x = 0; x < film.width; x++) {
        const [left, part] = [Math.floor(x / pixelsPerRun) * pixelsPerRun, (x % pixelsPerRun) / pixelsPerRun];
        const [from, to] = [computePosition(left, y), computePosition(left + pixelsPerRun, y)];
        expectPosition(sampleAt(x, y), from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
      }
  }
});

test('draws color at the same position as brightness', () => {
  // Each color changes evenly from one side of the plate to the other.
  const compositor = createCompositor(film, [{ plate: createPlate((x, y) => [4 * x, 120, 4 * y, 255]) }]);
  const layer = compositor.layers[0]!;
  const computePosition = (x: number, y: number) => ({ x: 2 + 1.2 * x + 0.01 * y, y: 3 + 1.1 * y });
  placeAllPoints(layer, computePosition);
  layer.take();
  for (let y = 0; y < film.height; y += 2)
    for (let x = 0; x < film.width; x += 2) {
      const pixelIndex = computePosition(x + 0.5, y + 0.5);
      const [, blue, red] = convertRgbToYuv(4 * pixelIndex.x, 120, 4 * pixelIndex.y);
      const bluePlaneIndex = area + ((y / 2) * film.width + x) / 2;
      expect(Math.abs(compositor.planes[bluePlaneIndex]! - blue)).toBeLessThan(1.1);
      expect(Math.abs(compositor.planes[bluePlaneIndex + area / 4]! - red)).toBeLessThan(1.1);
    }
});

const wideSize = { width: 48, height: 32 };
/** A plate that is transparent on the left, opaque on the right, and partly transparent between. */
const fading = createPlate((x, y) => {
  const alpha = Math.min(255, Math.max(0, 20 * (x - 20)));
  return [4 * x, 2 * (x + y), 4 * y, 255].map((it, at) => (at < 3 ? Math.round((it * alpha) / 255) : alpha));
});
/** Replaces the even placement of a layer with the same placement as `places`. */
function writeEachPlace(layer: Layer): void {
  const { first, across, down } = layer.even!;
  layer.even = undefined;
  placeAllPoints(layer, (x, y) => ({
    x: (first.x + x * across.x + y * down.x) / unitsPerPixel,
    y: (first.y + x * across.y + y * down.y) / unitsPerPixel,
  }));
}

test.each([0, 0.004, -0.004, 0.1, -0.1])(
  'draws a layer the same as an affine map and as a list of coordinates, at a tilt of %d',
  (tilt) => {
    const opaque = createPlate((x, y) => [4 * x, 2 * (x + y), 4 * y, 255]);
    const compositor = createCompositor(wideSize, [{ plate: opaque }, { plate: fading }]);
    const [ground, over] = compositor.layers as [Layer, Layer];
    for (const layer of compositor.layers) {
      setLayerView(layer, wideSize, { zoom: 1.25, towards: { x: 0.4, y: 0.7 }, tilt });
      expect(layer.even?.across.y === 0).toBe(tilt === 0);
    }
    const drawAndCopyPlanes = (draw: () => void) => {
      draw();
      return compositor.planes.slice();
    };
    const shortRun = [() => ground.take(), () => over.drawLayer(), () => over.drawLayer(0.4)].map(drawAndCopyPlanes);
    for (const layer of compositor.layers) writeEachPlace(layer);
    for (const [which, draw] of [() => ground.take(), () => over.drawLayer(), () => over.drawLayer(0.4)].entries()) {
      const planesWithLongRuns = drawAndCopyPlanes(draw);
      for (const [at, value] of planesWithLongRuns.entries())
        expect(Math.abs(value - shortRun[which]![at]!)).toBeLessThanOrEqual(2);
      expect(planesWithLongRuns.some((value, at) => which > 0 && value !== shortRun[which - 1]![at])).toBe(which > 0);
    }
  },
);

test.each([0, 0.1, undefined])('draws only inside the layer’s rectangle at a tilt of %d', (tilt) => {
  const compositor = createCompositor(wideSize, [{ plate: createPlate((x, y) => [4 * x, 2 * (x + y), 4 * y, 255]) }]);
  const layer = compositor.layers[0]!;
  setLayerView(layer, wideSize, { zoom: 1.25, towards: { x: 0.4, y: 0.7 }, tilt: tilt ?? 0.1 });
  if (tilt === undefined) writeEachPlace(layer);
  layer.take();
  const wholePicture = compositor.planes.slice();
  compositor.planes.fill(9);
  layer.take({ top: 10, bottom: 20, left: 16, right: 32 });
  for (const [plane, half] of [
    [0, 1],
    [wideSize.width * wideSize.height, 2],
    [1.25 * wideSize.width * wideSize.height, 2],
  ] as const)
    for (let y = 0; y < wideSize.height / half; y++)
      for (let x = 0; x < wideSize.width / half; x++) {
        const planeIndex = plane + (y * wideSize.width) / half + x;
        const isWithin = x >= 16 / half && x < 32 / half && y >= 10 / half && y < 20 / half;
        // The steps of an even row are rounded, so another start position makes a difference of one.
        if (isWithin)
          expect(Math.abs(compositor.planes[planeIndex]! - wholePicture[planeIndex]!)).toBeLessThanOrEqual(1);
        else expect(compositor.planes[planeIndex]).toBe(9);
      }
});

test('needs a list of coordinates for a view outside the source, a strongly tilted view, and a mesh', () => {
  const compositor = createCompositor(wideSize, [{ plate: createPlate((x, y) => [4 * x, 2 * (x + y), 4 * y, 255]) }]);
  const layer = compositor.layers[0]!;
  const view = { zoom: 1.25, towards: { x: 0.4, y: 0.7 } };
  const isEvenPlacementFor = (...[change, net]: [Partial<CameraView>, WarpGrid?]) => {
    setLayerView(layer, wideSize, { ...view, ...change }, net);
    return layer.even !== undefined;
  };
  expect(isEvenPlacementFor({})).toBe(true);
  expect(isEvenPlacementFor({ tilt: 0.3 })).toBe(false);
  expect(isEvenPlacementFor({ zoom: 0.6 })).toBe(false);
  for (const shift of [-30, 30]) {
    expect(isEvenPlacementFor({ shift: { x: shift, y: 0 } })).toBe(false);
    expect(isEvenPlacementFor({ shift: { x: 0, y: shift } })).toBe(false);
  }
  expect(isEvenPlacementFor({}, createWarpGrid(size))).toBe(false);
});

test.each([
  ['thing', true],
  ['gap', false],
])('draws a %s of one source pixel wherever a run starts next to the pixel', (_what, isThing) => {
  const lumaOfGrey = (greyAtPoint: number) => Math.round(convertRgbToYuv(greyAtPoint, greyAtPoint, greyAtPoint)[0]);
  const darkPlate = createPlate(() => [0, 0, 0, 255]);
  // A single column of pixels, at the last pixel but one of a square in the map that `computeOpacityMap` makes.
  const thinPlate = createPlate((x) => ((x === 30) === isThing ? [200, 200, 200, 255] : [0, 0, 0, 0]));
  const compositor = createCompositor(film, [{ plate: darkPlate }, { plate: thinPlate }]);
  for (let shift = 0; shift < 44; shift++) {
    for (const layer of compositor.layers) placeAllPoints(layer, (x, y) => ({ x: x + shift, y: y + 3 }));
    compositor.layers[0]!.take();
    compositor.layers[1]!.drawLayer();
    for (let x = 0; x < film.width; x++)
      expect(compositor.planes[6 * film.width + x]).toBe(lumaOfGrey((x + shift === 30) === isThing ? 200 : 0));
  }
});

test('blends a layer by its alpha and its opacity, only inside its rectangle', () => {
  const whitePlate = createPlate(() => [200, 200, 200, 255]);
  // Half-transparent black on the left, and nothing on the right.
  const halfTransparentPlate = createPlate((x) => (x < 24 ? [0, 0, 0, 128] : [0, 0, 0, 0]));
  const wideSize = { width: 48, height: 32 };
  const compositor = createCompositor(wideSize, [{ plate: whitePlate }, { plate: halfTransparentPlate, rise: 8 }]);
  const [ground, over] = compositor.layers as [Layer, Layer];
  for (const layer of [ground, over]) placeAllPoints(layer, (x, y) => ({ x, y }));
  const greyAtPoint = (x: number, y: number) => ((compositor.planes[y * wideSize.width + x]! - 16) * 255) / 219;
  ground.take();
  over.drawLayer();
  expect(Math.abs(greyAtPoint(2, 5) - 100)).toBeLessThan(2 * step);
  expect(Math.abs(greyAtPoint(30, 5) - 200)).toBeLessThan(step);
  // Gray stays without color, however it is blended.
  for (const value of compositor.planes.subarray(wideSize.width * wideSize.height))
    expect(Math.abs(value - 128)).toBeLessThan(2);
  ground.take();
  over.drawLayer(0.5);
  expect(Math.abs(greyAtPoint(2, 5) - 150)).toBeLessThan(2 * step);
  ground.take();
  over.drawLayer(1, { top: 10, bottom: 20, left: 0, right: 16 });
  for (const [x, y] of [
    [2, 5],
    [2, 25],
    [18, 15],
  ] as const)
    expect(Math.abs(greyAtPoint(x, y) - 200)).toBeLessThan(step);
  expect(Math.abs(greyAtPoint(2, 15) - 100)).toBeLessThan(2 * step);
});

test('draws a changed source picture after it is uploaded again', () => {
  const plate = createPlate(() => createGrayPixel(40));
  const compositor = createCompositor(film, [{ plate }]);
  const layer = compositor.layers[0]!;
  placeAllPoints(layer, (x, y) => ({ x, y }));
  for (let y = 6; y < 11; y++)
    for (let x = 3; x < 9; x++) plate.pixels.set(createGrayPixel(240), 4 * (y * size.width + x));
  layer.renew({ left: 3, top: 6, width: 6, height: 5 });
  layer.take();
  expect(Math.abs(readGray(compositor.planes, 3, 6) - 240)).toBeLessThan(step);
  expect(Math.abs(readGray(compositor.planes, 8, 10) - 240)).toBeLessThan(step);
  for (const [x, y] of [
    [2, 6],
    [8, 5],
  ] as const)
    expect(Math.abs(readGray(compositor.planes, x, y) - 40)).toBeLessThan(step);
});

const gains = { red: 0.25, green: 0.2, blue: 0.14 };
function drawWithGain(plate: Plate, gain: number, { red, green, blue } = gains) {
  const compositor = createCompositor(film, [{ plate }]);
  placeAllPoints(compositor.layers[0]!, (x, y) => ({ x, y }));
  for (let at = 0; at < compositor.light.length; at += 4)
    compositor.light.set([gain * red * 32768, gain * green * 32768, gain * blue * 32768, 0], at);
  compositor.layers[0]!.take();
  compositor.shine();
  return compositor.planes;
}

test('the light effect keeps black, white and the order of grays, and never overexposes', () => {
  const greys = createPlate((x) => createGrayPixel(Math.min(255, 17 * x)));
  const evenGain = { red: 0.25, green: 0.25, blue: 0.25 };
  const drawRowWithGain = (gain: number) => [...drawWithGain(greys, gain, evenGain).subarray(0, film.width)];
  const rowWithoutGain = drawRowWithGain(0);
  expect(rowWithoutGain).toEqual(rowWithoutGain.map((_, x) => Math.round(convertRgbToYuv(17 * x, 17 * x, 17 * x)[0])));
  for (const gain of [1, -1]) {
    const brightRow = drawRowWithGain(gain);
    expect([brightRow[0], brightRow[15]]).toEqual([16, 235]);
    expect(brightRow).toEqual(brightRow.toSorted((a, b) => a - b));
    expect(Math.sign(brightRow[8]! - rowWithoutGain[8]!)).toBe(gain);
    expect(brightRow.filter((it) => it === 235)).toHaveLength(1);
  }
});

test.each([
  [200, 150, 120],
  [255, 0, 0],
  [40, 40, 220],
  [12, 90, 30],
])('the light effect brightens red, green and blue of %i, %i, %i each in proportion', (red, green, blue) => {
  for (const gain of [1, 0.3, -0.6]) {
    const planes = drawWithGain(
      createPlate(() => [red, green, blue, 255]),
      gain,
    );
    const withGain = (value: number, share: number) => value + (gain * share * value * (255 - value)) / 64;
    const expected = convertRgbToYuv(
      withGain(red, gains.red),
      withGain(green, gains.green),
      withGain(blue, gains.blue),
    );
    for (const [index, from] of [0, area, 1.25 * area].entries())
      expect(Math.abs(planes[from]! - expected[index]!)).toBeLessThan(2);
  }
});

test('grain on a gray picture changes its brightness and adds no color', () => {
  const wideSize = { width: 32, height: 16 };
  const greys = createPlate((x, y) => createGrayPixel(y < 8 ? 128 : x < 8 ? 0 : 255));
  // The grain encodes positions: bright in odd columns, dark in even columns, and stronger from row to row.
  const size = { width: 40, height: 20 };
  const noise = Int8Array.from({ length: size.width * size.height }, (_, at) => {
    const [x, y] = [at % size.width, Math.floor(at / size.width)];
    return (x % 2 ? 1 : -1) * (100 + y);
  });
  const compositor = createCompositor(wideSize, [{ plate: greys }], { ...size, noise });
  placeAllPoints(compositor.layers[0]!, (x, y) => ({ x, y }));
  compositor.layers[0]!.take();
  const plainPlanes = compositor.planes.slice();
  compositor.grain(0.5, { x: 3, y: 2 });
  for (let y = 0; y < wideSize.height; y++)
    for (let x = 0; x < wideSize.width; x++) {
      const valueBefore = plainPlanes[y * wideSize.width + x]!;
      const brightnessRoom = Math.min(valueBefore - 16, 235 - valueBefore);
      const expected = valueBefore + (0.5 * brightnessRoom * noise[(y + 2) * size.width + x + 3]!) / 255;
      expect(Math.abs(compositor.planes[y * wideSize.width + x]! - expected)).toBeLessThan(1);
    }
  expect(compositor.planes.subarray(wideSize.width * wideSize.height)).toEqual(
    plainPlanes.subarray(wideSize.width * wideSize.height),
  );
});

test.each([0, 0.02, 0.5, 1])('a veil of strength %d moves every value toward its color by this fraction', (part) => {
  const wideSize = { width: 32, height: 16 };
  const compositor = createCompositor(wideSize, [{ plate: createPlate((x, y) => [4 * x, 200, 4 * y, 255]) }]);
  placeAllPoints(compositor.layers[0]!, (x, y) => ({ x, y }));
  compositor.layers[0]!.take();
  const plainPlanes = compositor.planes.slice();
  const color = convertRgbToYuv(255, 236, 40);
  compositor.veil(color, part);
  for (const [at, value] of compositor.planes.entries()) {
    const expectedValue = Math.round(color[at < 512 ? 0 : at < 640 ? 1 : 2]);
    expect(Math.abs(value - plainPlanes[at]! - (expectedValue - plainPlanes[at]!) * part)).toBeLessThan(1);
  }
});

test('a still camera draws the source picture unchanged and nothing outside it', () => {
  const plate = { ...film, pixels: new Uint8Array(4 * area).fill(255) };
  for (let at = 0; at < area; at++) plate.pixels.set(createGrayPixel((at * 37) % 251), 4 * at);
  const compositor = createCompositor(film, [{ plate }]);
  setLayerView(compositor.layers[0]!, film, { zoom: 1, towards: { x: 0.3, y: 0.7 } });
  compositor.layers[0]!.take();
  for (let at = 0; at < 12; at++)
    expect(Math.abs(readGray(compositor.planes, at, 0) - plate.pixels[4 * at]!)).toBeLessThan(step);
  for (const zoom of [0.5, 1.3])
    for (const shift of [-900, 900]) {
      setLayerView(compositor.layers[0]!, film, {
        zoom,
        towards: { x: 0, y: 1 },
        shift: { x: shift, y: -shift },
        tilt: 0.3,
      });
      compositor.layers[0]!.take();
      expect(compositor.planes.subarray(0, area).every((it) => it >= 16 && it <= 235)).toBe(true);
    }
});
