import { warpCode } from './warp-code.ts';

/** The parameters of warp.wat's rows, in this order: plate, stride, above, below, depth, rise, picture, end. */
export type Row = [number, number, number, number, number, number, number, number];
interface Warp {
  take(...row: Row): void;
  lay(...row: [...Row, opacity: number]): void;
  shine(above: number, below: number, depth: number, picture: number, end: number): void;
  convert(picture: number, end: number, brightness: number, stride: number, blue: number, red: number): void;
}

/** Four pixels at once, which JavaScript cannot: a picture in a fraction of the time. */
export function loadWarp(memory: WebAssembly.Memory): Warp {
  const code = new WebAssembly.Module(Buffer.from(warpCode, 'base64'));
  return new WebAssembly.Instance(code, { warp: { memory } }).exports as unknown as Warp;
}
