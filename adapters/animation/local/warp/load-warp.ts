import { warpCode } from './warp-code.ts';

/** The parameters of warp.wat's rows, in this order: plate, stride, above, below, depth, rise, picture, end. */
export type Row = [number, number, number, number, number, number, number, number];
interface Warp {
  take(...row: Row): void;
  level(...row: [...Row, mixed: number]): void;
  lay(...row: [...Row, opacity: number, map: number, mapStride: number]): void;
  shine(above: number, below: number, depth: number, picture: number, end: number): void;
  convert(picture: number, end: number, brightness: number, stride: number, blue: number, red: number): void;
}

/** What lies at the beginning of the memory: no picture may. */
export const tableBytes = 4096 + 16 * 257;

/** Four pixels at once, which JavaScript cannot: a picture in a fraction of the time. */
export function loadWarp(memory: WebAssembly.Memory): Warp {
  const code = new WebAssembly.Module(Buffer.from(warpCode, 'base64'));
  const shares = new Uint16Array(memory.buffer, 0, 8 * 256);
  for (let at = 0; at < 256; at++) shares.fill(256 - at, 8 * at, 8 * at + 4).fill(at, 8 * at + 4, 8 * at + 8);
  const spread = new Uint16Array(memory.buffer, 4096, 8 * 257);
  for (let at = 0; at <= 256; at++) spread.fill(at, 8 * at, 8 * at + 8);
  return new WebAssembly.Instance(code, { warp: { memory } }).exports as unknown as Warp;
}
