import { readHeicColor, type HeicColor } from './heic-color.ts';

export interface HeicPhoto {
  /** The size of the upright picture, from the container. */
  width: number;
  height: number;
  /** Color space of the pixels; undefined for sRGB. */
  color: HeicColor | undefined;
  /** RGBA pixels, upright. */
  decode(): Promise<Uint8ClampedArray<ArrayBuffer>>;
}

/**
 * Reads the container of a HEIC file without decoding its picture. Uses libheif, because sharp's own build has no HEVC
 * decoder. If the file contains several pictures, the one marked as the main picture is used, which may not be the
 * first.
 */
export async function openHeic(bytes: Buffer): Promise<HeicPhoto> {
  // The library is two megabytes of WebAssembly, which are compiled when loaded. So load it only for a HEIC.
  const { default: libheif } = await import('libheif-js/wasm-bundle.js');
  await libheif.ready;
  const image = new libheif.HeifDecoder().decode(bytes).find((it) => it.is_primary());
  if (!image) throw new Error('holds no picture');
  const [width, height] = [image.get_width(), image.get_height()];
  return {
    width,
    height,
    color: readHeicColor(bytes),
    decode: () =>
      new Promise((resolve, reject) => {
        const data = new Uint8ClampedArray(width * height * 4);
        image.display({ data, width, height }, (shown) =>
          shown ? resolve(shown.data) : reject(new Error('could not be decoded')),
        );
      }),
  };
}
