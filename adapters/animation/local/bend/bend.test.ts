import { expect, test } from 'vitest';
import { assemble } from './assemble.ts';
import { bendRowCode } from './bend-row.ts';
import { openBend, parts, rise, run } from './bend.ts';

const size = { width: 2 * run, height: 2 * rise };
const plateWidth = 40;
/** Every pixel tells its place: red across, green down. */
const pixels = Uint8Array.from({ length: 4 * plateWidth * 60 }, (_, at) => {
  const pixel = at >> 2;
  return [4 * (pixel % plateWidth), 4 * Math.floor(pixel / plateWidth), 7, 255][at % 4]!;
});

/** A picture of places on the plate, given for the run's column (0, 1) and row (0, 1, 2), in pixels. */
function picture(placeOf: (column: number, row: number) => { x: number; y: number }) {
  const bend = openBend({ pixels, width: plateWidth }, size);
  for (let at = 0; at < bend.places.length; at += 2) {
    const { x, y } = placeOf((at / 2) % 2, Math.floor(at / 4));
    bend.places.set([x * parts, y * parts], at);
  }
  const bytes = bend.draw();
  return (x: number, y: number) => [...bytes.subarray(4 * (y * size.width + x)).subarray(0, 4)];
}

test('the code is that of its source', async () => {
  expect(bendRowCode).toBe(await assemble());
});

test('a part of the plate is shown as it is where nothing bends', () => {
  const at = picture((column, row) => ({ x: 5 + run * column, y: 3 + rise * row }));
  for (const [x, y] of [
    [0, 0],
    [3, 1],
    [4, 17],
    [7, 31],
  ] as const)
    expect(at(x, y)).toEqual([4 * (5 + x), 4 * (3 + y), 7, 255]);
});

test('a place between pixels mixes the four round it', () => {
  const at = picture((column, row) => ({ x: 5.75 + run * column, y: 3.5 + rise * row }));
  expect(at(2, 1)).toEqual([4 * 7.75, 4 * 4.5, 7, 255]);
  expect(at(6, 20)).toEqual([4 * 11.75, 4 * 23.5, 7, 255]);
});

test('each run has its own place, and rows in between those of their neighbours, mixed', () => {
  const at = picture((column, row) => ({ x: 10 * column + 4 * row, y: 20 + rise * row }));
  expect(at(1, 0)).toEqual([4 * 1, 4 * 20, 7, 255]);
  expect(at(5, 0)).toEqual([4 * 11, 4 * 20, 7, 255]);
  expect(at(1, 4)).toEqual([4 * 2, 4 * 24, 7, 255]);
  expect(at(1, 20)).toEqual([4 * 6, 4 * 40, 7, 255]);
});

test('what is not on the plate is not shown', () => {
  expect(() => picture(() => ({ x: 0, y: 30_000 }))).toThrow(WebAssembly.RuntimeError);
});
