import { expect, test } from 'vitest';
import { aim } from './camera.ts';
import { assemble } from './assemble.ts';
import { openEasel, parts, run, type Plate } from './easel.ts';
import { warpCode } from './warp-code.ts';

const film = { width: 4 * run, height: 32 };
const size = { width: 60, height: 60 };
const plateOf = (pixel: (x: number, y: number) => number[]): Plate => ({
  ...size,
  pixels: Uint8Array.from({ length: 4 * size.width * size.height }, (_, at) => {
    const place = at >> 2;
    return pixel(place % size.width, Math.floor(place / size.width))[at % 4]!;
  }),
});
/** Every pixel tells its place: red across, green down. */
const map = plateOf((x, y) => [4 * x, 4 * y, 7, 255]);

/** A picture of places on the plate, given for a pixel of the film. */
function taken(placeOf: (x: number, y: number) => { x: number; y: number }) {
  const easel = openEasel(film, [{ plate: map }]);
  tell(easel.layers[0]!, placeOf);
  easel.layers[0]!.take();
  return (x: number, y: number) => [...easel.picture.subarray(4 * (y * film.width + x)).subarray(0, 4)];
}
function tell(
  { places, columns, rise }: ReturnType<typeof openEasel>['layers'][number],
  placeOf: (x: number, y: number) => { x: number; y: number },
) {
  for (let at = 0; at < places.length; at += 2) {
    const column = (at / 2) % (columns + 1);
    const { x, y } = placeOf(column * run, Math.floor(at / 2 / (columns + 1)) * rise);
    places.set([x * parts, y * parts], at);
  }
}

test('the code is that of its source', async () => {
  expect(warpCode).toBe(await assemble());
});

test('a part of the plate is shown as it is where nothing bends', () => {
  const at = taken((x, y) => ({ x: 5 + x, y: 3 + y }));
  for (const [x, y] of [
    [0, 0],
    [3, 1],
    [4, 17],
    [15, 31],
  ] as const)
    expect(at(x, y)).toEqual([4 * (5 + x), 4 * (3 + y), 7, 255]);
});

test('a place between pixels mixes the four round it', () => {
  const at = taken((x, y) => ({ x: 5.75 + x, y: 3.5 + y }));
  expect(at(2, 1)).toEqual([4 * 7.75, 4 * 4.5, 7, 255]);
  expect(at(6, 20)).toEqual([4 * 11.75, 4 * 23.5, 7, 255]);
});

test('the pixels of a run lie evenly between its ends, and rows between those that were told', () => {
  const at = taken((x, y) => ({ x: 2 + 1.5 * x, y: 1 + 1.25 * y }));
  for (const [x, y] of [
    [1, 0],
    [6, 4],
    [11, 20],
    [15, 30],
  ] as const) {
    const [red, green] = at(x, y) as [number, number];
    expect(Math.abs(red - 4 * (2 + 1.5 * x))).toBeLessThanOrEqual(1);
    expect(Math.abs(green - 4 * (1 + 1.25 * y))).toBeLessThanOrEqual(1);
  }
});

test('a row that lies level is drawn the same the short way, and only within its reach', () => {
  const easel = openEasel(film, [{ plate: map }]);
  const layer = easel.layers[0]!;
  aim(layer, film, { zoom: 1.07, towards: { x: 0.4, y: 0.7 } });
  expect(layer.isLevel).toBe(true);
  layer.take();
  const short = easel.picture.slice();
  layer.isLevel = false;
  layer.take();
  expect(short).toEqual(easel.picture.slice());
  for (const isLevel of [true, false]) {
    easel.picture.fill(9);
    layer.isLevel = isLevel;
    layer.take({ top: 10, bottom: 20, left: 4, right: 8 });
    for (const [x, y] of [
      [3, 15],
      [8, 15],
      [5, 9],
      [5, 20],
    ] as const)
      expect(easel.picture[4 * (y * film.width + x)]).toBe(9);
    const at = 4 * (15 * film.width + 4);
    expect(easel.picture.subarray(at, at + 16)).toEqual(short.subarray(at, at + 16));
  }
  aim(layer, film, { zoom: 1.07, towards: { x: 0.4, y: 0.7 }, tilt: 0.1 });
  expect(layer.isLevel).toBe(false);
});

test('the thinnest thing on a plate is laid, wherever a run begins beside it', () => {
  const dark = plateOf(() => [0, 0, 0, 255]);
  // A single column in the last pixel of a square of those that are known to be empty or not.
  const thin = plateOf((x) => (x === 23 ? [200, 200, 200, 255] : [0, 0, 0, 0]));
  const easel = openEasel(film, [{ plate: dark }, { plate: thin }]);
  for (let shift = 9; shift < 23; shift++) {
    for (const layer of easel.layers) tell(layer, (x, y) => ({ x: x + shift, y: y + 3 }));
    easel.layers[0]!.take();
    easel.layers[1]!.lay();
    for (let x = 0; x < film.width; x++)
      expect(easel.picture[4 * (6 * film.width + x)]).toBe(x + shift === 23 ? 200 : 0);
  }
});

test('a layer covers by its alpha and by how much it is laid on, and only within its reach', () => {
  const white = plateOf(() => [200, 200, 200, 255]);
  // Half covered black, and nothing on the right.
  const half = plateOf((x) => (x < 8 ? [0, 0, 0, 128] : [0, 0, 0, 0]));
  const easel = openEasel(film, [{ plate: white }, { plate: half, rise: 8 }]);
  const [ground, over] = easel.layers as [(typeof easel.layers)[0], (typeof easel.layers)[0]];
  for (const layer of [ground, over]) tell(layer, (x, y) => ({ x, y }));
  const red = (x: number, y: number) => easel.picture[4 * (y * film.width + x)]!;
  ground.take();
  over.lay();
  expect(Math.abs(red(2, 5) - 100)).toBeLessThanOrEqual(1);
  expect(red(12, 5)).toBe(200);
  ground.take();
  over.lay(0.5);
  expect(Math.abs(red(2, 5) - 150)).toBeLessThanOrEqual(1);
  ground.take();
  over.lay(1, { top: 10, bottom: 20, left: 0, right: 4 });
  expect([red(2, 5), red(2, 25), red(6, 15)]).toEqual([200, 200, 200]);
  expect(Math.abs(red(2, 15) - 100)).toBeLessThanOrEqual(1);
});

test('light leaves black black and white white, keeps the order of greys, and burns nothing', () => {
  const greys = plateOf((x) => Array(4).fill(Math.min(255, 17 * x)) as number[]);
  const easel = openEasel(film, [{ plate: greys }]);
  tell(easel.layers[0]!, (x, y) => ({ x, y }));
  const lit = (gain: number) => {
    for (let at = 0; at < easel.light.length; at += 4) easel.light.set([gain * 32768, 0, 0, 0], at);
    easel.layers[0]!.take();
    easel.shine();
    return Array.from({ length: 16 }, (_, x) => easel.picture[4 * x]!);
  };
  const plain = Array.from({ length: 16 }, (_, x) => 17 * x);
  expect(lit(0)).toEqual(plain);
  for (const gain of [0.25, -0.25]) {
    const red = lit(gain);
    expect([red[0], red[15]]).toEqual([0, 255]);
    expect(red).toEqual(red.toSorted((a, b) => a - b));
    expect(Math.sign(red[8]! - plain[8]!)).toBe(Math.sign(gain));
    expect(red.filter((it) => it === 255)).toHaveLength(1);
  }
  // The other colours have no light of their own.
  expect(easel.picture[4 * 8 + 1]).toBe(17 * 8);
});

test('a camera at rest shows the plate as it covers the film, and never what lies beyond it', () => {
  const plate = { width: film.width, height: film.height, pixels: map.pixels.slice(0, 4 * film.width * film.height) };
  const easel = openEasel(film, [{ plate }]);
  aim(easel.layers[0]!, film, { zoom: 1, towards: { x: 0.3, y: 0.7 } });
  easel.layers[0]!.take();
  expect(easel.picture.subarray(0, 4 * 12)).toEqual(plate.pixels.subarray(0, 4 * 12));
  for (const zoom of [0.5, 1.3])
    for (const shift of [-900, 900]) {
      aim(easel.layers[0]!, film, { zoom, towards: { x: 0, y: 1 }, shift: { x: shift, y: -shift }, tilt: 0.3 });
      easel.layers[0]!.take();
    }
});
