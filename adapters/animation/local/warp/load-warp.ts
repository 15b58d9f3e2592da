import { warpCode } from './warp-code.ts';

/** The functions of warp.wat, which documents them. */
export interface WarpFunctions {
  level(plate: number, stride: number, y: number, spots: number, row: number, end: number, mixed: number): void;
  draw(
    ...row: [
      ...places: [plate: number, stride: number, above: number, below: number, depth: number, rise: number],
      ...rows: [half: number, row: number, end: number, starts: number, other: number, otherRow: number],
      ...over: [alpha: number, opacity: number, map: number, mapStride: number],
      ...even: [even: number, beginX: number, beginY: number],
    ]
  ): void;
  shine(
    ...rows: [
      ...light: [above: number, below: number, depth: number],
      ...planes: [row: number, end: number, stride: number, blue: number, red: number],
    ]
  ): void;
  grain(row: number, end: number, noise: number, strength: number): void;
  veil(row: number, end: number, value: number, part: number): void;
  convert(
    ...rows: [
      ...picture: [upper: number, end: number],
      ...planes: [brightness: number, stride: number, blue: number, red: number],
      ...alpha: [ofBrightness: number, ofBlue: number, ofRed: number],
    ]
  ): void;
}

const vectorConstants = [1024, -16384, -2048, 256, 257, 127, 1023, 255, 64];
/** Size of the scratch space and the constants at the start of the memory. Pictures must not overlap them. */
export const reservedMemoryBytes = 64 + 16 * (1 + vectorConstants.length);

/**
 * Loads the WebAssembly code. It processes eight values at once, which JavaScript cannot do, so a frame takes a
 * fraction of the time.
 */
export function loadWarp(memory: WebAssembly.Memory): WarpFunctions {
  const code = new WebAssembly.Module(Buffer.from(warpCode, 'base64'));
  new Int16Array(memory.buffer, 64).set([
    0,
    1,
    2,
    3,
    0,
    1,
    2,
    3,
    ...vectorConstants.flatMap((it) => Array<number>(8).fill(it)),
  ]);
  return new WebAssembly.Instance(code, { warp: { memory } }).exports as unknown as WarpFunctions;
}
